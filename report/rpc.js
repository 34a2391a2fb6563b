// One RPC, as the records say it: when its attempts began and ended, how it failed, which frames and segments it has.
// Times are microseconds since the first frame.

// Whether the Reply to a Call without one may be missing from the capture: as `stats` has it.
function may_lack({incomplete_because}) {
  return incomplete_because !== undefined && incomplete_because !== 'header_cut' && incomplete_because !== 'capture_ended';
}

// Its record, and what is asked of it often.
export class Rpc {
  constructor(record, model, op) {
    this.record = record;
    this.op = op; // place among model.ops
    this.conn = record.conn;
    this.xid = record.xid;
    this.frame = record.call_frame ?? record.reply_frame ?? 0;
    this.us = model.since(record.call_time ?? record.reply_time ?? '0');
    this.length = length_of(record); // until its Reply was delivered; undefined: not known
    this.lacking = record.status === 'no_reply' && (may_lack(record) || model.one_direction(record.conn)); // its Reply may have been sent, and not captured
    this.findings = null;
    this.index = 0;
    this.next = null; // the Rpc that repeats it
    this.waits_until = null; // of a Reply that did not arrive
  }
  get name() {
    return operation(this.record);
  }
  // Of this attempt: when its Reply came; when it was accepted; until when it has waited.
  get replied() {
    return this.us + Math.max(this.record.delivered_us ?? this.record.latency_us ?? 0, 0);
  }
  get end() {
    return this.waits_until ?? (this.unanswered ? this.us + (this.record.unanswered_us ?? 0) : this.replied);
  }
  // Of the first attempt.
  get begin() {
    const {total_us, delivered_us} = this.record;
    return this.us - Math.max((total_us ?? 0) - (delivered_us ?? 0), 0);
  }
  // No Reply came, or none arrived.
  get waits() {
    return this.unanswered || this.record.never_accepted === true;
  }
  // It waited, and all that was refused meanwhile was refused since there was no receive buffer: nothing was lost.
  get refused() {
    const {recovery_us, naks, rnr_naks} = this.record;
    return recovery_us > 0 && rnr_naks > 0 && rnr_naks === naks;
  }
  get backward() {
    return this.record.direction === 'backward';
  }
  // Its own end: how it failed, or null.
  get failure() {
    const {status, error, rpc_status, nfs_status} = this.record;
    return status === 'transport_error' ? error ?? 'transport error' : rpc_status ?? nfs_status ?? null;
  }
  // No Reply came, as far as the capture goes.
  get unanswered() {
    return this.record.status === 'no_reply' && !this.lacking;
  }
  // The earlier Call that this one repeats; '' where there is none. And its own, as later ones name it.
  get repeats() {
    const {retry_of} = this.record;
    return retry_of ? `${retry_of.conn} ${retry_of.call_frame} ${this.xid}` : '';
  }
  get call() {
    return `${this.conn} ${this.record.call_frame} ${this.xid}`;
  }
  // Bytes that its Reply claims to have returned in chunks, and that nobody wrote. Up to 3 a segment may be
  // roundup, which is not written (RFC 5666).
  get unwritten() {
    const {reply_frame, status, writes, reply_chunk} = this.record;
    if (reply_frame === undefined || status !== 'complete' || this.record.complete === false || ((writes ?? []).length === 0 && !reply_chunk)) {
      return 0;
    }
    return segments_of(this.record).reduce((sum, {segment}) => sum + (segment.returned > segment.moved + 3 ? segment.returned - segment.moved : 0), 0);
  }
  has_frame(frame, file, files) {
    const several = files && files.length > 1;
    const here = (number, name) => number === frame && (!several || file === undefined || name === undefined || name === file);
    const {record} = this;
    return here(record.call_frame, record.call_file) || here(record.reply_frame, record.reply_file) ||
      here(record.done_frame, record.done_file) ||
      here(record.call_accepted_frame, record.call_accepted_file) || here(record.reply_accepted_frame, record.reply_accepted_file) ||
      (record.setbacks ?? []).some((one) => here(one.frame, one.file)) ||
      [record.call_acknowledged, record.reply_acknowledged].some((one) => one && here(one.frame, one.file)) ||
      segments_of(record).some(({segment}) => (segment.frames ?? []).some((n, i) => here(n, segment.files?.[i] ?? record.call_file)));
  }
}

// Every segment of an RPC, with the list it stands in and the number of its chunk, from 1.
export function segments_of(record) {
  const found = [];
  const add = (list, chunk) => (segment) => found.push({list, chunk, segment});
  (record.reads ?? []).forEach(add('read'));
  (record.writes ?? []).forEach((chunk, i) => chunk.forEach(add('write', i + 1)));
  (record.reply_chunk ?? []).forEach(add('reply'));
  (record.reply_reads ?? []).forEach(add('result'));
  return found;
}

// "NFSv3 READ".
export function operation(record) {
  const {name, op} = record;
  let known = names.get(name);
  if (!known) {
    names.set(name, (known = new Map()));
  }
  let text = known.get(op);
  if (text === undefined) {
    text = !op ? name ?? 'unknown procedure' : name ? `${name.split(' ')[0]} ${op}` : op;
    known.set(op, text);
  }
  return text;
}
const names = new Map(); // by `name` and `op`: there are few, and many RPCs

// Until its Reply was delivered, of all attempts; undefined: not known.
export function length_of(record) {
  return record.total_us ?? record.delivered_us ?? (record.never_accepted ? undefined : record.latency_us);
}
