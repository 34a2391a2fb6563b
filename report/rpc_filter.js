// Which RPCs a table shows: those with some words, that took so long, of an operation, in a state, within a window.
// Pure functions of the model.
import {ends_of} from './model.js';
import {segments_of} from './rpc.js';
import {clock} from './units.js';

const STATES = {
  bad: (rpc) => rpc.failure !== null || rpc.unanswered,
  found: (rpc) => rpc.findings !== null,
  lost: (rpc) => rpc.record.repeats > 0 || rpc.record.recovery_us > 0,
};
const UNITS = {us: 1, µs: 1, μs: 1, ms: 1e3, s: 1e6};

// "10 ms", "1.5s", "200us": microseconds; '': 0; null where it is no time.
export function time_of(text) {
  const found = /^(\d+(?:\.\d+)?)\s*(us|µs|μs|ms|s)$/i.exec(text.trim());
  return text.trim() === '' ? 0 : found ? Number(found[1]) * UNITS[found[2].toLowerCase()] : null;
}

// What became of an RPC, in a word or two; '' where all is well.
export function state_of(rpc) {
  return rpc.failure ?? (rpc.unanswered ? 'no Reply' : rpc.lacking ? 'Reply not captured' : rpc.waits ? 'no Reply arrived' : rpc.record.status === 'no_call' ? 'no Call' : rpc.record.complete === false ? 'incomplete' : '');
}

// How long an RPC took, or has waited so far.
function length_of(rpc) {
  return rpc.length ?? rpc.end - rpc.us;
}

export class RpcFilter {
  #texts = []; // of RPCs, by index, as far as they were asked for

  constructor(model) {
    this.model = model;
  }

  // {text, least, op, state, conn, window}: every word of `text` is in it; `least`: microseconds; `op`: a place among
  // the model's, or -1; `window`: it was under way then. What is not asked for is '', 0, or null.
  chosen({text, least, op, state, conn, window}) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.model.rpcs.filter((rpc) => (op < 0 || rpc.op === op) && (state === '' || STATES[state](rpc)) && (!conn || rpc.conn === conn) && length_of(rpc) >= least &&
      (!window || (rpc.end >= window[0] && rpc.us <= window[1])) && words.every((word) => this.#text_of(rpc).includes(word)));
  }

  #text_of(rpc) {
    return (this.#texts[rpc.index] ??= this.#made_text(rpc));
  }
  #made_text(rpc) {
    const {record} = rpc;
    const {client, server} = ends_of(this.model.connections.get(rpc.conn));
    const handles = segments_of(record).slice(0, 32).map(({segment}) => segment.handle);
    return [rpc.name, ...(record.ops ?? []), rpc.xid, record.call_frame, record.reply_frame, record.call_accepted_frame, record.reply_accepted_frame, clock(record.call_time ?? record.reply_time), state_of(rpc), client, server, record.waited_on, record.file, record.user,
      ...(rpc.findings ?? []).map((finding) => finding.record.rule), ...handles].filter((part) => part !== undefined).join(' ').toLowerCase();
  }
}
