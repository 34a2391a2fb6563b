// Bars: each RPC of a connection from its Call to the Reply that was accepted, in as many rows as there were RPCs at
// once, and what of its time went by on loss. Pure functions; times are microseconds.
import {first_place} from './places.js';
import {badness} from './series.js';
import {phase_bounds} from './steps.js';

export const MOST_ROWS = 40; // of more at once, some are drawn over others

// From when to when an RPC was under way: {from, to, open}. `open`: no Reply arrived; it waits until it is sent again, or
// until its connection, or the capture, ends.
export function span_of(rpc) {
  return {from: rpc.us, to: Math.max(rpc.end, rpc.us), open: rpc.waits};
}

// Rows for the RPCs of a list, which ascends by time: {begin, end, row, rows, reach}. `reach`: the latest end so far.
export function laid_out(model, list) {
  const laid = {begin: new Float64Array(list.length), end: new Float64Array(list.length), row: new Uint8Array(list.length), rows: 0, reach: new Float64Array(list.length)};
  const free_at = [];
  let reach = -Infinity;
  for (let i = 0; i < list.length; ++i) {
    const {from, to} = span_of(model.rpcs[list[i]]);
    const row = row_for(free_at, from);
    free_at[row] = to;
    reach = Math.max(reach, to);
    laid.begin[i] = from;
    laid.end[i] = to;
    laid.row[i] = row;
    laid.reach[i] = reach;
  }
  laid.rows = free_at.length;
  return laid;
}

function row_for(free_at, from) {
  const free = free_at.findIndex((at) => at <= from);
  if (free >= 0 || free_at.length < MOST_ROWS) {
    return free >= 0 ? free : free_at.length;
  }
  return free_at.indexOf(Math.min(...free_at));
}

// What is drawn in a window `width` pixels wide: [{x, until, row, index, bad, open}]. Of bars in the same pixel of a row
// the worst is there.
export function bars(model, list, laid, {from, to, width}) {
  const columns = Math.ceil(width) + 1;
  const taken = new Int16Array(columns * Math.max(laid.rows, 1)).fill(-1);
  const x_of = (us) => ((us - from) / (to - from)) * width;
  const shown = [];
  for (let i = first_place(list.length, (at) => laid.reach[at] >= from); i < list.length && laid.begin[i] <= to; ++i) {
    if (laid.end[i] < from) {
      continue;
    }
    const rpc = model.rpcs[list[i]];
    const bad = badness(rpc);
    const [x, until] = [Math.max(x_of(laid.begin[i]), -2), Math.min(x_of(laid.end[i]), width + 2)];
    if (until - x < 1.5) {
      const place = laid.row[i] * columns + Math.min(Math.max(Math.floor(x), 0), columns - 1);
      if (taken[place] >= bad) {
        continue;
      }
      taken[place] = bad;
    }
    shown.push({x, until, row: laid.row[i], index: rpc.index, op: rpc.op, bad, open: rpc.waits});
  }
  return shown;
}

// When an RPC stood still for what was lost: [[from, to], ...] in order, since its Call. Records say how long in all:
// of the Call and of the Reply the phases say when; of what moved in between, the packet that was sent again last.
export function loss_of(record) {
  let left = Math.min(record.recovery_us ?? 0, record.delivered_us ?? 0);
  const phase = phase_bounds(record);
  if (!(left > 0) || !phase) {
    return left > 0 ? [[record.delivered_us - left, record.delivered_us]] : [];
  }
  const found = [];
  const take = (from, to) => {
    if (to > from) {
      found.push([from, to]);
      left -= to - from;
    }
  };
  take(0, Math.min(phase.call[1], left));
  take(Math.max(phase.reply[0], phase.reply[1] - left), phase.reply[1]);
  if (left > 0) {
    const again = (record.setbacks ?? []).filter(({what, us}) => what === 'sent_again' && us > phase.call[1] && us <= phase.reply[0]);
    const until = again.length > 0 ? again[again.length - 1].us : phase.write[1] > phase.write[0] ? phase.write[1] : phase.read[1];
    take(Math.max(until - left, phase.call[1]), until);
  }
  return found.sort((a, b) => a[0] - b[0]);
}
