// Series: what the timeline draws of one connection, thinned to the pixels that there are. Pure
// functions of the model and a window, times in microseconds: so many points cost as long as it
// takes to look at each once, and what is worst in a pixel is what is drawn there.
import {first_place, order_of} from './places.js';
import {counted} from './units.js';

// The scale of latency, logarithmic, on a strip so many pixels high of which the upper `band` is for marks: {low, high,
// top, y_of}. `high` is where the band begins, `top` what the axis shows at the upper edge.
export function latency_scale(lengths, height, band) {
  const least = lengths.reduce((a, b) => Math.min(a, b), Infinity);
  const most = lengths.reduce((a, b) => Math.max(a, b), 0);
  const low = 10 ** Math.floor(Math.log10(Math.max(least === Infinity ? 100 : least, 1)));
  const high = Math.max(10 ** Math.ceil(Math.log10(Math.max(most, 10)) + 0.02), low * 10);
  const top = low * (high / low) ** (height / (height - band));
  return {low, high, top, y_of: (us) => (1 - Math.log(us / low) / Math.log(top / low)) * height};
}

// Dots of RPCs in a window, at most one for each cell of `cell` pixels: {x, y, op, index, bad}; of several
// in a cell the one that is worst, else the first. `x_of` and `y_of` give pixels; `bad` is badness().
export function dots(model, list, {from, to, width, height, x_of, y_of, cell = 2}) {
  const columns = Math.ceil(width / cell) + 1;
  const rows = Math.ceil(height / cell) + 1;
  const taken = new Int32Array(columns * rows).fill(-1);
  const chosen = [];
  const last = list.length;
  for (let i = model.at(from, list); i < last; ++i) {
    const rpc = model.rpcs[list[i]];
    if (rpc.us > to) {
      break;
    }
    if (rpc.length === undefined) {
      continue;
    }
    const x = x_of(rpc.us);
    const y = y_of(Math.max(rpc.length, 1));
    const place = Math.min(Math.max(Math.floor(y / cell), 0), rows - 1) * columns + Math.min(Math.max(Math.floor(x / cell), 0), columns - 1);
    const before = taken[place];
    if (before < 0) {
      taken[place] = chosen.length;
      chosen.push({x, y, op: rpc.op, index: rpc.index, bad: badness(rpc)});
    } else if (chosen[before].bad < badness(rpc)) {
      chosen[before] = {x, y, op: rpc.op, index: rpc.index, bad: badness(rpc)};
    }
  }
  return chosen;
}

// 2: an error of the transport, or with a finding that is more than a note; 1: the server's answer was an error; 0: neither.
export function badness(rpc) {
  const found = rpc.record.status === 'transport_error' || (rpc.findings?.some(({record}) => record.severity !== 'note') ?? false);
  return found ? 2 : rpc.failure !== null ? 1 : 0;
}

// Calls outstanding and credits granted over time, from the RPCs themselves: {times, outstanding, granted,
// limits}, a step at each time. Limits are stretches in which the Requester could send no Call. Callbacks
// have credits of their own and are left out.
export function credit_steps(model, conn) {
  const sent = []; // times of Calls, which ascend
  const ended = []; // of Replies, as they were accepted
  const grants = []; // that came with them
  const limits = [];
  for (const i of model.of_connection(conn)) {
    const rpc = model.rpcs[i];
    const {record} = rpc;
    if (rpc.backward || record.call_frame === undefined || rpc.lacking) { // until when it was outstanding is not known
      continue;
    }
    sent.push(rpc.us);
    const length = record.delivered_us ?? record.latency_us ?? record.unanswered_us;
    if (length !== undefined) {
      // Once the connection has ended a Call is outstanding there no more, though its client waits on.
      ended.push(record.never_accepted && model.connections.get(conn)?.ended ? Math.min(rpc.end, Math.max(model.last_seen(conn), rpc.replied)) : rpc.end);
      grants.push(record.granted);
    }
    if (record.at_credit_limit_us > 0) {
      limits.push([rpc.us - record.at_credit_limit_us, rpc.us]);
    }
  }
  const order = order_of(ended.map((us) => Math.round(us * 1000)), false);
  const load = model.loads.get(conn);
  const steps = {times: [], outstanding: [], granted: [], limits: merged(limits)};
  let outstanding = 0;
  let granted = load?.granted_min !== undefined && load.granted_min === load.granted_max ? load.granted_max : undefined;
  for (let next_sent = 0, next_ended = 0; next_sent < sent.length || next_ended < ended.length; ) {
    const end = next_ended < ended.length ? ended[order[next_ended]] : Infinity;
    const is_end = next_sent === sent.length || end <= sent[next_sent];
    steps.times.push(is_end ? end : sent[next_sent]);
    outstanding += is_end ? -1 : 1;
    granted = (is_end ? grants[order[next_ended]] : undefined) ?? granted;
    is_end ? ++next_ended : ++next_sent;
    steps.outstanding.push(outstanding);
    steps.granted.push(granted);
  }
  return steps;
}

// The same from intervals, where the page does not hold every RPC: on average of each.
export function credit_intervals(intervals) {
  const steps = {times: [], outstanding: [], granted: [], limits: []};
  let end = -Infinity;
  const add = (us, outstanding, granted) => {
    steps.times.push(us);
    steps.outstanding.push(outstanding);
    steps.granted.push(granted);
  };
  for (const {us, width, record} of intervals) {
    if (us > end && end !== -Infinity) {
      add(end, 0, steps.granted[steps.granted.length - 1]);
    }
    add(us, record.outstanding_us / width, record.granted_min ?? steps.granted[steps.granted.length - 1]);
    if (record.at_credit_limit_us > 0) {
      steps.limits.push([us, us + Math.min(record.at_credit_limit_us, width)]);
    }
    end = us + width;
  }
  if (end !== -Infinity) {
    add(end, 0, steps.granted[steps.granted.length - 1]);
  }
  return steps;
}

// Overlapping stretches, put together, in order.
export function merged(stretches) {
  const result = [];
  for (const [from, to] of [...stretches].sort((a, b) => a[0] - b[0])) {
    const last = result[result.length - 1];
    last && from <= last[1] ? (last[1] = Math.max(last[1], to)) : result.push([from, to]);
  }
  return result;
}

// The greatest of `values`, steps at `times`, in each of `columns` equal parts of a window, and what it
// was when the window began.
export function step_columns(times, values, from, to, columns) {
  const most = new Float64Array(columns).fill(-1);
  let i = upper(times, from);
  let current = i > 0 ? values[i - 1] ?? 0 : 0;
  const scale = columns / (to - from);
  let column = 0;
  for (; i < times.length && times[i] <= to; ++i) {
    const next = Math.min(Math.floor((times[i] - from) * scale), columns - 1);
    for (; column < next; ++column) {
      most[column] = Math.max(most[column], current);
    }
    if (times[i] > from + next / scale) { // what it was when the part began
      most[next] = Math.max(most[next], current);
    }
    current = values[i] ?? 0;
    most[next] = Math.max(most[next], current);
  }
  for (; column < columns; ++column) {
    most[column] = Math.max(most[column], current);
  }
  return most;
}

// How many of `times`, which ascend, are at or before `us`.
export function upper(times, us) {
  return first_place(times.length, (i) => times[i] > us);
}

// Bytes each second of a window, in `columns` parts, by the time of the Reply: {to_server, to_client}.
export function throughput(model, conn, from, to, columns) {
  const to_server = new Float64Array(columns);
  const to_client = new Float64Array(columns);
  const per_column = (to - from) / columns;
  const add = (us, arguments_bytes, results) => {
    if (us >= from && us <= to) {
      const column = Math.min(Math.floor((us - from) / per_column), columns - 1);
      to_server[column] += arguments_bytes;
      to_client[column] += results;
    }
  };
  const spread = (begin, end, to_server_bytes, to_client_bytes) => { // evenly over what it covers
    const first = Math.max(Math.floor((begin - from) / per_column), 0);
    for (let column = first; column < columns && from + column * per_column < end; ++column) {
      const share = Math.min(end, from + (column + 1) * per_column) - Math.max(begin, from + column * per_column);
      to_server[column] += (to_server_bytes * share) / (end - begin);
      to_client[column] += (to_client_bytes * share) / (end - begin);
    }
  };
  const paces = model.paces.get(conn);
  if (paces) {
    for (const {us, width, record} of paces) {
      spread(us, us + width, record.bytes_to_server, record.bytes_to_client);
    }
  } else {
    for (const i of model.of_connection(conn)) {
      const rpc = model.rpcs[i];
      if (rpc.us > to) {
        break;
      }
      const [forth, back] = [rpc.record.args_length ?? 0, Math.max((rpc.record.results_length ?? 0) - rpc.unwritten, 0)]; // what nobody wrote did not move
      rpc.backward ? add(rpc.replied, back, forth) : add(rpc.replied, forth, back);
    }
  }
  const rate = (values) => values.map((value) => (value / per_column) * 1e6);
  return {to_server: rate(to_server), to_client: rate(to_client)};
}

// What is marked above a connection's dots: findings, and where packets were sent again, refused or marked:
// [{us, kind, count, finding, index, text}], by time. Kinds: error, warning, note, lost, congested.
export function marks(model, conn) {
  const found = [];
  for (const finding of model.findings) {
    if (finding.record.conn === conn) {
      found.push({us: finding.us, kind: finding.record.severity, count: 1, finding});
    }
  }
  for (const {us, width, record} of model.disturbances.get(conn) ?? []) {
    for (const kind of ['lost', 'congested']) {
      const words = NOISE[kind].filter(([key]) => record[key] > 0);
      if (words.length > 0) {
        found.push({us: us + width / 2, width, kind, count: words.reduce((sum, [key]) => sum + record[key], 0),
          text: words.map(([key, one, by]) => `${counted(record[key], one)}${by ?? ''}`).join(', ')});
      }
    }
  }
  for (const {us, width, record} of model.disturbances.get(0) ?? []) { // of no connection: of all
    found.push({us: us + width / 2, width, kind: 'congested', count: record.pauses, text: counted(record.pauses, 'pause frame')});
  }
  return found.sort((a, b) => a.us - b.us);
}

const NOISE = {
  lost: [['retransmitted_by_client', 'packet', ' sent again by the client'], ['retransmitted_by_server', 'packet', ' sent again by the server'],
    ['retransmitted_by_a', 'packet', ' sent again by one end'], ['retransmitted_by_b', 'packet', ' sent again by the other end'],
    ['naks', 'NAK'], ['rnr_naks', 'RNR NAK'], ['zero_windows', 'closed TCP window']],
  congested: [['cnps', 'CNP'], ['ecn_ce', 'CE mark']],
};

// Counts of RPCs by duration, in `columns` equal parts of a logarithmic scale from `least` to `most`
// microseconds. `buckets`, where a record has them ([[µs, count], ...]), are counted instead.
export function histogram(lengths, least, most, columns, buckets = null) {
  const counts = new Array(columns).fill(0);
  const span = Math.log(Math.max(most, least * 1.0001) / least);
  const add = (us, count) => {
    const place = Math.floor((Math.log(Math.max(us, least) / least) / span) * columns);
    counts[Math.min(Math.max(place, 0), columns - 1)] += count;
  };
  buckets ? buckets.forEach(([us, count]) => add(us, count)) : lengths.forEach((us) => add(us, 1));
  return counts;
}
