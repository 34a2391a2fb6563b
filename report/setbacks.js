// Setbacks: what went wrong on the way of one RPC: what was sent again or refused on its connection while it lasted,
// as steps of its ladder. What one end did in one go is one step. Pure.
import {counted, duration, known} from './units.js';

const PAUSE_US = 1000; // between two packets of a step, at most

const TITLES = {
  sent_again: (count) => `${counted(count, 'packet')} sent again`,
  nak: (count) => (count === 1 ? 'NAK: packets before this are missing' : `${counted(count, 'NAK')}: packets are missing`),
  rnr_nak: (count) => (count === 1 ? 'RNR NAK: no receive buffer is ready' : `${counted(count, 'RNR NAK')}: no receive buffer is ready`),
  zero_window: (count) => (count === 1 ? 'TCP window closed: no room' : `TCP window closed ${counted(count, 'time')}: no room`),
};

export function setback_steps(record) {
  const accepted = [record.call_accepted_frame, record.reply_accepted_frame];
  const steps = groups_of(record.setbacks.filter(({frame}) => !accepted.includes(frame))).map(step_of);
  const left_out = (record.setbacks_in_all ?? 0) - record.setbacks.length;
  if (left_out > 0) {
    const middle = record.setbacks[Math.floor(record.setbacks.length / 2) - 1];
    steps.push({kind: 'remark loss', to: null, at: middle.us, title: `and ${counted(left_out, 'more packet')} sent again or refused`, detail: 'look for them among the sequence numbers, on the timeline', frames: []});
  }
  for (const [key, title, to] of [['call_acknowledged', 'The Call is acknowledged', 'requester'], ['reply_acknowledged', 'The Reply is acknowledged', 'responder']]) {
    const one = record[key];
    if (one) {
      steps.push({kind: 'ack', to, at: one.us, title, detail: 'ACK', frames: [one.frame]});
    }
  }
  return steps;
}

// One after the other by the same end and of the same kind, without a pause.
function groups_of(setbacks) {
  const groups = [];
  for (const one of setbacks) {
    const last = groups[groups.length - 1];
    const before = last?.[last.length - 1];
    if (before && before.what === one.what && before.by === one.by && one.us - before.us <= PAUSE_US) {
      last.push(one);
    } else {
      groups.push([one]);
    }
  }
  return groups;
}

function step_of(group) {
  const {what, by, us} = group[0];
  const until = group[group.length - 1].us;
  return {kind: what === 'sent_again' ? 'again' : 'refusal', to: by === 'requester' ? 'responder' : 'requester', at: us, until, state: what === 'sent_again' ? 'sent again' : 'refused',
    title: known(TITLES, what)?.(group.length) ?? what, detail: until > us ? `within ${duration(until - us)}` : '', frames: group.map(({frame}) => frame)};
}

// "73 packets sent again, 1 NAK": of an RPC, on its connection while it lasted; '' where nothing was.
export function setback_words(record) {
  const counts = new Map();
  for (const {what} of record.setbacks ?? []) {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  if (record.setbacks_in_all > (record.setbacks ?? []).length) {
    return `${counted(record.setbacks_in_all, 'packet')} sent again or refused`;
  }
  const names = {sent_again: ['packet sent again', 'packets sent again'], nak: ['NAK'], rnr_nak: ['RNR NAK'], zero_window: ['closed TCP window']};
  return [...counts].map(([what, count]) => counted(count, ...(known(names, what) ?? [what]))).join(', ');
}
