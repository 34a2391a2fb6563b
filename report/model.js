// Model: what the records of Steertag say, as the views ask for it. It reads the JSON Lines of the
// command (`steertag schema` describes them) and nothing else, touches no document, and takes any
// iterable of records: those in the page today, those of an analyser in the browser tomorrow.
//
// Times are microseconds since the first frame.
import {first_place, Index} from './places.js';
import {length_of, operation, Rpc} from './rpc.js';
import {sequence_of} from './sequence.js';

// One record a line; a line that is none is passed over and counted in `bad.lines`.
export function* records_of(text, bad = {lines: 0}) {
  for (let begin = 0; begin < text.length; ) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline;
    if (end > begin) {
      try {
        yield JSON.parse(text.slice(begin, end));
      } catch {
        if (text.slice(begin, end).trim() !== '') {
          ++bad.lines;
        }
      }
    }
    begin = end + 1;
  }
}

// The records of each capture, of one or two: a "stream" is the first of each.
export function captures_of(records) {
  const second = records.findIndex(({type}, i) => i > 0 && type === 'stream');
  return second < 0 ? [records] : [records.slice(0, second), records.slice(second)];
}

const SEVERITIES = ['error', 'warning', 'note'];
const CERTAINTIES = ['definite', 'likely', 'possible'];

export class Model {
  /** @param {Iterable<import('./records.d.ts').Line>} records */
  constructor(records) {
    this.stream = {};
    this.report = {};
    this.summary = {};
    this.connections = new Map(); // number: record
    this.rpcs = []; // Rpc, in order of time
    this.findings = []; // {record, us, rpc}, the worst first; what is known and accepted is among `known`
    this.known = []; // the same
    this.stale = []; // records of what is known and was found no more
    this.exceeded = []; // of what is known, and was found too often
    this.tallies = new Map(); // rule: record
    this.rules = new Map(); // rule: record
    this.stats = [];
    this.loads = new Map(); // number: record
    this.paces = new Map(); // number: [{us, width, record}], by time; only where RPCs were left out
    this.disturbances = new Map(); // the same, always; 0: pause frames, which are of no connection
    this.sequences = new Map(); // number: [sequence_of()], of each end; of some connections
    this.losses = new Map(); // number: [{us, record}], by time
    this.notes = [];
    this.incidents = []; // the gravest first
    this.attempts = []; // to connect, that failed
    const raw = {rpc: [], finding: [], pace: [], disturbances: [], sequence: [], loss: []};
    for (const record of records) {
      this.#take(record, raw);
    }
    this.#origin = this.#find_origin(raw);
    this.#number_ops(raw.rpc);
    this.#order(raw);
    this.#findings(raw.finding);
  }

  #origin = [0, 0]; // seconds, nanoseconds
  #second = '-'; // "1700000000.": that of the time asked for last, and its microseconds
  #second_us = 0;
  #by_connection = new Map(); // number: indices into rpcs
  #one_direction = new Map(); // number: whether it is
  #by_key = null; // Index: key() to places among rpcs
  #ends = null; // frame of a Call or a Reply: the same; made when it is asked for

  #take(record, raw) {
    switch (record?.type) {
      case 'stream':
      case 'report':
      case 'summary':
        this[record.type] = record;
        break;
      case 'connection':
        this.connections.set(record.conn, {...this.connections.get(record.conn), ...record});
        break;
      case 'rpc':
      case 'finding':
      case 'pace':
      case 'disturbances':
      case 'sequence':
      case 'loss':
        raw[record.type].push(record);
        break;
      case 'load':
        this.loads.set(record.conn ?? 0, record);
        break;
      case 'rule':
        this.rules.set(record.rule, {...this.rules.get(record.rule), ...record});
        break;
      case 'tally':
        this.tallies.set(record.rule, record);
        break;
      case 'stat':
        this.stats.push(record);
        break;
      case 'note':
      case 'incident':
      case 'attempt':
        this[`${record.type}s`].push(record);
        break;
      case 'stale':
      case 'exceeded':
        this[record.type].push(record);
        break;
      default: // records of later versions
    }
  }

  #find_origin(raw) {
    let first = this.report.begin ? split(this.report.begin) : null;
    for (const record of [...(first ? [] : raw.rpc), ...(first ? [] : raw.finding)]) {
      const time = split(record.call_time ?? record.reply_time ?? record.time);
      if (!first || time[0] < first[0] || (time[0] === first[0] && time[1] < first[1])) {
        first = time;
      }
    }
    return first ?? [0, 0];
  }

  // Seconds since the epoch as text: microseconds since the first frame.
  since(text) {
    const time = String(text);
    if (time.length === 20 && time.startsWith(this.#second)) { // most of a capture is of few seconds
      return this.#second_us + (time.slice(11) - this.#origin[1]) / 1e3;
    }
    const [seconds, ns] = split(time);
    if (time.length === 20 && time[10] === '.') {
      this.#second = time.slice(0, 11);
      this.#second_us = (seconds - this.#origin[0]) * 1e6;
    }
    return (seconds - this.#origin[0]) * 1e6 + (ns - this.#origin[1]) / 1e3;
  }
  get begin() {
    return `${this.#origin[0]}.${String(this.#origin[1]).padStart(9, '0')}`;
  }

  // Operations, the one that took the most time first: a place each, which is its colour.
  #number_ops(rpcs) {
    const spent = new Map();
    for (const record of rpcs) {
      const name = operation(record);
      spent.set(name, (spent.get(name) ?? 0) + (length_of(record) ?? 0));
    }
    for (const name of spent.keys()) {
      spent.set(name, Math.round(spent.get(name))); // whatever order they were added in
    }
    this.ops = [...spent.keys()].sort((a, b) => spent.get(b) - spent.get(a) || (a < b ? -1 : 1));
  }

  // Whether what one end sent is all that was captured of a connection.
  one_direction(conn) {
    let known = this.#one_direction.get(conn);
    if (known === undefined) {
      const {pairing, transport, traffic_class} = this.connections.get(conn) ?? {};
      const heard = Object.keys(traffic_class ?? {}).length; // of iWARP the pairing is that of TCP
      this.#one_direction.set(conn, (known = pairing === 'one_sided' || (transport === 'iwarp' && heard === 1)));
    }
    return known;
  }

  #order(raw) {
    const place = new Map(this.ops.map((name, i) => [name, i]));
    this.rpcs = raw.rpc.map((record) => new Rpc(record, this, place.get(operation(record))));
    this.rpcs.sort((a, b) => a.us - b.us || a.frame - b.frame);
    this.end = this.report.end ? this.since(this.report.end) : 0;
    this.#by_key = new Index(this.rpcs.length);
    for (let i = 0; i < this.rpcs.length; ++i) {
      const rpc = this.rpcs[i];
      rpc.index = i;
      push(this.#by_connection, rpc.conn, i);
      this.#by_key.add(key(rpc.conn, rpc.xid), i);
      this.end = Math.max(this.end, rpc.end);
    }
    this.#attempts();
    for (const record of raw.pace) {
      push(this.paces, record.conn, {us: this.since(record.interval), width: record.interval_ns / 1e3, record});
    }
    for (const record of raw.disturbances) {
      if (!record.rest) {
        push(this.disturbances, record.conn ?? 0, {us: this.since(record.interval), width: this.report.disturbances_us ?? 0, record});
      }
    }
    for (const record of raw.sequence) {
      push(this.sequences, record.conn, sequence_of(record, this.since(record.begin)));
    }
    for (const record of raw.loss) {
      push(this.losses, record.conn, {us: this.since(record.time), record});
    }
    for (const list of [...this.paces.values(), ...this.disturbances.values(), ...this.losses.values()]) {
      list.sort((a, b) => a.us - b.us);
    }
  }

  // Of Calls that were sent again, on another connection perhaps, the next attempt; and how long those wait whose
  // Reply did not arrive.
  #attempts() {
    const later = new Map(this.rpcs.filter((rpc) => rpc.repeats !== '').map((rpc) => [rpc.repeats, rpc]));
    for (const rpc of this.rpcs) {
      rpc.next = (later.size > 0 && later.get(rpc.call)) || null;
      rpc.waits_until = rpc.record.never_accepted ? rpc.next?.us ?? this.end : null;
    }
  }

  #findings(records) {
    this.findings = records.map((record) => ({record, us: this.since(record.time), rpc: this.#rpc_of(record)}));
    const seen = new Set();
    for (const finding of this.findings) {
      const {rule, frame, conn} = finding.record;
      finding.first = !seen.has(`${rule}:${frame}:${conn}`); // of that rule in that frame: what a link leads to
      seen.add(`${rule}:${frame}:${conn}`);
      this.end = Math.max(this.end, finding.us);
      if (finding.rpc) {
        (finding.rpc.findings ??= []).push(finding);
      }
    }
    const rank = (finding) =>
      SEVERITIES.indexOf(finding.record.severity) * 4 + CERTAINTIES.indexOf(finding.record.certainty);
    this.findings.sort((a, b) => rank(a) - rank(b) || a.us - b.us || (a.record.rule < b.record.rule ? -1 : 1));
    const exceeded = new Set(this.exceeded.map(({fingerprint}) => fingerprint));
    const accepted = ({record}) => record.known === true && !exceeded.has(record.fingerprint);
    this.known = this.findings.filter(accepted);
    this.findings = this.findings.filter((finding) => !accepted(finding));
  }

  // The RPC that a finding is about: by XID, of several the last that had begun; else by its frame.
  #rpc_of(finding) {
    const frame = finding.frame;
    if (finding.xid !== undefined) {
      const alike = this.#alike(finding.conn, finding.xid);
      const begun = alike.filter((rpc) => rpc.us <= this.since(finding.time) + 1);
      return begun[begun.length - 1] ?? alike[0] ?? null;
    }
    return this.#with_end(frame).find((rpc) => rpc.conn === finding.conn && rpc.has_frame(frame, finding.file, this.report.files)) ?? null;
  }

  #alike(conn, xid) {
    return this.#by_key.get(key(conn, xid)).map((i) => this.rpcs[i]).filter((rpc) => rpc.conn === conn && rpc.xid === xid);
  }
  #with_end(frame) {
    if (!this.#ends) {
      this.#ends = new Index(2 * this.rpcs.length);
      for (const {index, record} of this.rpcs) {
        this.#ends.add(record.call_frame, index);
        this.#ends.add(record.reply_frame, index);
      }
    }
    return this.#ends.get(frame).map((i) => this.rpcs[i]);
  }

  // RPCs of one connection, as indices into rpcs, by time.
  of_connection(conn) {
    return this.#by_connection.get(conn) ?? [];
  }

  // When something that the page knows of went by on a connection for the last time.
  last_seen(conn) {
    const of = (list, end) => (list ?? []).reduce((last, one) => Math.max(last, end(one)), 0);
    return Math.max(of(this.of_connection(conn), (i) => this.rpcs[i].replied), of(this.losses.get(conn), ({us}) => us), of(this.disturbances.get(conn), ({us, width}) => us + width),
      of(this.findings, ({record, us}) => (record.conn === conn ? us : 0)));
  }

  // Of several with that XID on that connection, the one with that Call.
  find(conn, xid, frame) {
    const alike = this.#alike(conn, xid);
    return alike.find((rpc) => frame === undefined || rpc.frame === frame) ?? alike[0] ?? null;
  }
  alone(rpc) {
    return this.#alike(rpc.conn, rpc.xid).length < 2;
  }

  // The RPC that a frame belongs to.
  with_frame(frame) {
    return this.#with_end(frame)[0] ?? this.rpcs.find((rpc) => rpc.has_frame(frame)) ?? null;
  }

  // The first of rpcs at or behind a time.
  at(us, list = null) {
    return first_place(list ? list.length : this.rpcs.length, (i) => this.rpcs[list ? list[i] : i].us >= us);
  }

  // Those that were sent, answered or waited for at some time of a window.
  under_way(from, to) {
    return this.rpcs.filter((rpc) => rpc.us <= to && (rpc.us >= from || rpc.end >= from));
  }

  // Whether the records hold fewer RPCs, or findings, than there were.
  get left_out() {
    return {
      rpcs: Math.max((this.summary.rpcs ?? 0) - this.rpcs.length, 0),
      findings: Math.max((this.report.findings ?? 0) - (this.report.findings_shown ?? 0), 0),
    };
  }
}

// A connection and an XID as one number, the same for few others.
function key(conn, xid) {
  return (Number(xid) ^ Math.imul(conn, 0x9e3779b1)) >>> 0;
}

// The ends of a connection: the client and the server, where they are known.
export function ends_of(connection) {
  const {client, server, a, b} = connection ?? {};
  return {client: client ?? a ?? '?', server: server ?? b ?? '?', known: client !== undefined};
}

// Of an operation's row of `stats`: what all of its RPCs took together, in microseconds, and how much of it they waited for lost packets.
export function time_spent(stat) {
  return stat.sums_us?.delivered ?? 0;
}

// The same, and how long those waited whose Reply did not come.
export function time_waited(stat) {
  return time_spent(stat) + (stat.waiting_us ?? 0);
}

export function time_lost(stat) {
  return stat.sums_us?.recovery ?? 0;
}

// Nanoseconds and seconds apart: together they are more than a number holds.
function split(time) {
  const text = String(time);
  const point = text.indexOf('.');
  return point < 0 ? [Number(text) || 0, 0] : [Number(text.slice(0, point)) || 0, Number(text.slice(point + 1).padEnd(9, '0').slice(0, 9)) || 0];
}

function push(map, key, value) {
  const list = map.get(key);
  list ? list.push(value) : map.set(key, [value]);
}
