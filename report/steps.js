// Steps: the story of one RPC, from its record: what was sent, which way, when, in which frames. Pure
// functions. Times are microseconds since the Call's first frame; where a record has only the phases,
// several operations of a phase share it evenly, and the step is marked `between`.
import {segments_of} from './rpc.js';
import {setback_steps} from './setbacks.js';
import {bytes, counted, duration} from './units.js';

export const PHASES = [
  ['earlier', 'until the Call was sent for the last time'],
  ['call', 'until the Call was accepted'],
  ['start', 'until the first RDMA Read'],
  ['read', 'until the last Read was answered'],
  ['serve', 'until the first RDMA Write, or the Reply'],
  ['write', 'until the last RDMA Write'],
  ['finish', 'until the Reply was sent'],
  ['reply', 'until the copy of it that arrived'],
];
const MOST_SEGMENTS = 24;
const NOT_ACCEPTED = 'it, or something before it, was lost';

// [{name, from, to, text}], in order, of phases that took time. With earlier attempts, times are since the
// last of them was sent, and `earlier` is before 0.
export function phases_of(record) {
  const earlier = {name: 'earlier', from: record.delivered_us - record.total_us, to: 0, text: PHASES[0][1]};
  const phase = phase_bounds(record);
  const found = PHASES.slice(1).filter(([name]) => record.phases?.[name] > 0)
    .map(([name, text]) => ({name, from: phase[name][0], to: phase[name][1], text}));
  return record.total_us > record.delivered_us ? [earlier, ...found] : found;
}

// When each phase began and ended, whether it took time or not: {call: [0, 3], ...}; null without phases.
export function phase_bounds(record) {
  if (!record.phases) {
    return null;
  }
  const result = {};
  let at = 0;
  for (const [name] of PHASES.slice(1)) {
    const length = record.phases[name] ?? 0;
    result[name] = [at, at + length];
    at += length;
  }
  return result;
}

export function frame_text(frames) {
  if (frames.length === 0) {
    return '';
  }
  const [first, last] = [Math.min(...frames), Math.max(...frames)];
  return first === last ? `frame ${first}` : `frames ${first}–${last}`;
}

// [{kind, to, at, until, between, lost, state, title, detail, frames, fields}]; `to` is the end that the arrow points
// at: 'responder', 'requester', or null for a remark. `lost`: it was not accepted when it was sent; `state`: what
// became of it, in a word or two, where something was lost: 'not accepted', 'sent again', 'accepted'. `lacking`: its
// Reply may be missing from the capture.
export function steps_of(record, lacking = false) {
  const phase = phase_bounds(record);
  const steps = [];
  const name = record.op ?? record.name ?? 'RPC';
  if (record.attempts > 1) {
    steps.push({kind: 'remark', to: null, at: phase ? 0 : undefined, title: `Attempt ${record.attempts} of this Call`,
      detail: record.retry_of ? `the one before is in frame ${record.retry_of.call_frame} of connection ${record.retry_of.conn}` : '', frames: []});
  }
  if (record.call_frame !== undefined) {
    const late = phase !== null && phase.call[1] > 0;
    steps.push({kind: 'call', to: 'responder', at: 0, lost: late, title: `Call ${name}`, detail: late ? NOT_ACCEPTED : 'Send',
      state: late ? 'not accepted' : undefined, frames: [record.call_frame], fields: call_fields(record)});
    if (late) {
      steps.push({kind: 'call accepted', to: 'responder', at: phase.call[1], state: 'accepted', title: 'Call accepted', detail: `${duration(phase.call[1])} after it was first sent`,
        frames: frames_accepted(record.call_accepted_frame)});
    }
  }
  steps.push(...moves(record, phase), ...(record.setbacks ? setback_steps(record) : loss(record, phase)), ...ending(record, phase, lacking));
  return order(steps);
}

// The same of all RPCs of a connection in a window, in order of time: {steps, left_out, rpcs}. Times are since
// the window begins. Of a callback the ends are the other way round.
export function window_steps(model, conn, [from, to], most) {
  const steps = [];
  let rpcs = 0;
  for (const i of model.of_connection(conn)) {
    const rpc = model.rpcs[i];
    if (rpc.us > to) {
      break;
    }
    if (rpc.end < from) {
      continue;
    }
    ++rpcs;
    if (steps.length > 50 * most) {
      continue; // they begin later than all that are shown
    }
    for (const step of steps_of(rpc.record, rpc.lacking)) {
      const at = rpc.us + step.order;
      if (at >= from && at <= to) {
        const end = {responder: 'requester', requester: 'responder'};
        steps.push({...step, rpc, to: rpc.backward && step.to ? end[step.to] : step.to, at: at - from, order: at - from});
      }
    }
  }
  steps.sort((a, b) => a.order - b.order);
  return {steps: steps.slice(0, most), left_out: Math.max(steps.length - most, 0), rpcs};
}

function moves(record, phase) {
  const segments = segments_of(record);
  const moved = segments.filter(({segment}) => segment.ops > 0);
  const shown = moved.slice(0, MOST_SEGMENTS);
  const steps = [];
  const ordered = {read: shown.filter(({list}) => list === 'read'), write: shown.filter(({list}) => list === 'write' || list === 'reply')};
  for (const one of shown) {
    steps.push(...move(one, record, phase, ordered));
  }
  if (moved.length > shown.length) {
    steps.push({kind: 'remark', to: null, at: phase?.finish[0], title: `and ${counted(moved.length - shown.length, 'more segment')}`, detail: '', frames: []});
  }
  for (const {segment, list, chunk} of segments.filter((one) => one.segment.returned > one.segment.moved).slice(0, MOST_SEGMENTS)) {
    steps.push({kind: 'remark bad', to: null, at: phase?.finish[1] ?? record.latency_us, title: `${bytes(segment.returned)} returned, ${bytes(segment.moved)} written`,
      detail: list === 'reply' ? 'Reply chunk' : `Write chunk ${chunk}`, frames: [], fields: segment_fields(segment, list)});
  }
  return steps;
}

// The operations of one segment.
function move({list, chunk, segment}, record, phase, ordered) {
  const frames = segment.frames ?? [];
  const fields = segment_fields(segment, list);
  const size = `${bytes(segment.moved)}${segment.moved < segment.length ? ` of ${bytes(segment.length)}` : ''}`;
  const ops = segment.ops > 1 ? ` in ${segment.ops} operations` : '';
  if (list === 'result') {
    return [{kind: 'read', to: 'requester', at: segment.first_us, until: segment.last_us, title: `RDMA Read of the result, ${size}${ops}`, detail: segment.handle, frames, fields}];
  }
  const kin = ordered[list === 'read' ? 'read' : 'write'];
  const place = kin.findIndex((one) => one.segment === segment);
  const span = phase?.[list === 'read' ? 'read' : 'write'];
  const share = (i) => span && span[0] + ((span[1] - span[0]) * i) / Math.max(kin.length, 1);
  const exact = segment.first_us !== undefined;
  const at = exact ? segment.first_us : share(place);
  const until = exact ? segment.last_us : share(place + 1);
  const between = !exact && kin.length > 1;
  if (list === 'read') {
    const asked = {kind: 'request', to: 'requester', at: exact && place === 0 ? span?.[0] ?? at : at, until: at, between, title: 'RDMA Read Request', detail: segment.handle, frames: [], fields};
    return [asked, {kind: 'read', to: 'responder', at, until, between, title: `Read Response, ${size}${ops}`, detail: `Position ${segment.position ?? 0}`, frames, fields}];
  }
  const where = list === 'reply' ? 'Reply chunk' : `chunk ${chunk}`;
  return [{kind: 'write', to: 'requester', at, until, between, title: `RDMA Write, ${size}${ops}`, detail: where, frames, fields,
    wrong: segment.returned !== undefined && segment.returned > segment.moved}];
}

function loss(record, phase) {
  const words = [record.repeats > 0 && `${counted(record.repeats, 'packet')} sent again`, record.naks > 0 && counted(record.naks, 'NAK')].filter(Boolean);
  if (words.length === 0 && !(record.recovery_us > 0)) {
    return [];
  }
  const span = phase?.write[1] > phase?.write[0] ? phase.write : phase?.read[1] > phase?.read[0] ? phase.read : null;
  return [{kind: 'remark loss', to: null, at: span ? (span[0] + span[1]) / 2 : 0, between: true, title: words.join(', ') || 'packets were lost',
    detail: record.recovery_us > 0 ? `${duration(record.recovery_us)} waited for lost packets` : 'meanwhile, on this connection', frames: []}];
}

function ending(record, phase, lacking) {
  const steps = [];
  const sent = phase?.reply[0] ?? record.latency_us;
  if (record.reply_frame !== undefined) {
    const failed = record.status === 'transport_error' ? record.error ?? 'error' : record.rpc_status ?? record.nfs_status;
    const late = phase !== null && phase.reply[1] > phase.reply[0];
    const kind = failed ? 'reply bad' : 'reply';
    steps.push({kind, to: 'requester', at: sent, lost: late,
      state: late ? 'not accepted' : undefined, title: record.status === 'transport_error' ? `RDMA_ERROR ${failed}` : `Reply${failed ? ` ${failed}` : ''}`,
      detail: late ? NOT_ACCEPTED : record.invalidated ? `Send With Invalidate ${record.invalidated}` : 'Send',
      frames: [record.reply_frame], fields: reply_fields(record)});
    if (late) {
      steps.push({kind: `${kind} accepted`, to: 'requester', at: phase.reply[1], state: 'accepted', title: 'Reply accepted', detail: `${duration(phase.reply[1] - phase.reply[0])} after it was first sent`,
        frames: frames_accepted(record.reply_accepted_frame)});
    }
  } else if (lacking) {
    steps.push({kind: 'remark', to: null, title: 'No Reply was captured', detail: 'it may be missing from the capture', frames: []});
  } else {
    steps.push({kind: 'remark bad', to: null, at: record.unanswered_us, title: 'No Reply was captured',
      detail: record.unanswered_us !== undefined ? `until ${duration(record.unanswered_us)} later, when the connection or the capture ended` : '', frames: []});
  }
  if (record.done_frame !== undefined) {
    steps.push({kind: 'call', to: 'responder', title: 'RDMA_DONE', detail: 'Send', frames: [record.done_frame]});
  }
  return steps;
}

function frames_accepted(frame) {
  return frame === undefined ? [] : [frame];
}

// By time, what has none where it stands.
function order(steps) {
  let last = 0;
  const keyed = steps.map((step, i) => {
    last = step.at ?? last;
    return [last, i, step];
  });
  return keyed.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([at, , step]) => ({...step, order: at}));
}

function segment_fields(segment, list) {
  const names = {read: 'Read list', write: 'Write list', reply: 'Reply chunk', result: 'Read list of the Reply'};
  return [['in', names[list]], segment.position !== undefined && ['Position', segment.position], ['handle', segment.handle], ['offset', segment.offset],
    ['length', segment.length], ['moved', segment.moved], ['operations', segment.ops], segment.returned !== undefined && ['returned', segment.returned],
    segment.after_reply && ['note', 'an RDMA operation came after the Reply']].filter(Boolean);
}

function call_fields(record) {
  const lists = [['reads', 'read'], ['writes', 'write'], ['reply_chunk', 'reply']];
  const segments = segments_of(record);
  return [['rdma_xid', record.xid], record.requested !== undefined && ['rdma_credit', record.requested], record.program !== undefined && ['program', `${record.program} version ${record.version}`],
    record.name && ['procedure', record.name], record.ops && ['operations', record.ops.join(', ')], record.args_length !== undefined && ['arguments', bytes(record.args_length)],
    ...lists.map(([key, list]) => [key.replace('_', ' '), segments.filter((one) => one.list === list).slice(0, MOST_SEGMENTS)
      .map(({segment}) => `${segment.handle} ${segment.offset} ${segment.length}`).join('\n') || 'none'])].filter(Boolean);
}

function reply_fields(record) {
  const returned = segments_of(record).filter(({segment}) => segment.returned !== undefined);
  return [['rdma_xid', record.xid], record.granted !== undefined && ['rdma_credit', record.granted], record.error && ['rdma_err', record.error], record.rpc_status && ['RPC status', record.rpc_status],
    record.nfs_status && ['NFS status', record.nfs_status], record.invalidated && ['invalidated', record.invalidated],
    record.results_length !== undefined && ['results', bytes(record.results_length)],
    returned.length > 0 && ['returned', returned.slice(0, MOST_SEGMENTS).map(({segment}) => `${segment.handle} ${segment.returned} of ${segment.length}`).join('\n')]].filter(Boolean);
}
