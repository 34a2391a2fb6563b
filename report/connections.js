// Connections: a row for each, the one with the worst first, and each leads to its lane of the timeline; then the
// attempts to connect that failed.
import {datum, el, link} from './dom.js';
import {to_frame, to_lane} from './links.js';
import {ends_of} from './model.js';
import {badge, transport_name} from './summary.js';
import {number_column, Table} from './table.js';
import {bytes, counted, duration, known, printable, whole} from './units.js';

const WEIGHT = {error: 1e15, warning: 1e12, note: 0};

// Numbers of connections: those with findings first, then those whose RPCs took the most time.
export function worst_first(model) {
  const weight = new Map([...model.connections.keys()].map((conn) => [conn, 0]));
  for (const rpc of model.rpcs) {
    weight.set(rpc.conn, (weight.get(rpc.conn) ?? 0) + (rpc.length ?? rpc.end - rpc.us));
  }
  for (const {record} of model.findings) {
    weight.set(record.conn, (weight.get(record.conn) ?? 0) + WEIGHT[record.severity]);
  }
  return [...weight.keys()].filter((conn) => conn !== undefined).sort((a, b) => weight.get(b) - weight.get(a) || a - b);
}

// What is said of each in its row.
export function rows_of_connections(model) {
  const rows = new Map(worst_first(model).map((conn) => [conn, {conn, connection: model.connections.get(conn), load: model.loads.get(conn),
    rpcs: 0, failed: 0, unanswered: 0, waiting: undefined, longest: undefined, spent: 0, lost: 0, error: 0, warning: 0, note: 0}]));
  for (const rpc of model.rpcs) {
    const row = rows.get(rpc.conn);
    ++row.rpcs;
    row.failed += rpc.failure !== null && !rpc.next ? 1 : 0; // of several attempts the last counts
    row.unanswered += rpc.unanswered ? 1 : 0;
    row.waiting = rpc.unanswered ? Math.max(rpc.end - rpc.us, row.waiting ?? 0) : row.waiting;
    row.spent += rpc.length ?? 0;
    row.lost += rpc.record.recovery_us ?? 0;
    row.longest = rpc.length === undefined ? row.longest : Math.max(rpc.length, row.longest ?? 0);
  }
  for (const {record} of model.findings) {
    if (rows.has(record.conn)) {
      ++rows.get(record.conn)[record.severity];
    }
  }
  return [...rows.values()];
}

function table_of(model, rows) {
  const ends = (row) => {
    const {client, server, known: sure} = ends_of(row.connection);
    return `${client} ${sure ? '→' : '↔'} ${server}`;
  };
  const some = (column) => rows.some((row) => column.value(row) > 0) && column;
  const load = (key) => (row) => row.load?.[key];
  const part = model.left_out.rpcs > 0 ? 'of those that this page holds' : undefined;
  const columns = [
    {name: 'connection', value: (row) => row.conn, cell: (row) => link(to_lane(row.conn), String(row.conn), {'aria-label': `Connection ${row.conn} on the timeline`})},
    {name: 'client and server', value: ends, cell: (row) => ends(row)},
    {name: 'transport', value: (row) => row.connection?.transport, cell: (row) => transport_name(row.connection?.transport)},
    some(number_column('errors', (row) => row.error, whole, 'findings')), some(number_column('warnings', (row) => row.warning, whole, 'findings')), some(number_column('notes', (row) => row.note, whole, 'findings')),
    number_column('RPCs', (row) => row.rpcs, whole, part),
    some(number_column('failed', (row) => row.failed, whole, part)), some(number_column('unanswered', (row) => row.unanswered, whole, part)),
    some(number_column('waiting', (row) => row.waiting, duration, 'the longest that a Call without a Reply has waited')),
    number_column('longest', (row) => row.longest, duration, 'of RPCs with a Reply'), number_column('RPC time', (row) => row.spent, duration, 'of all its RPCs with a Reply together'),
    some(number_column('on loss', (row) => row.lost, duration, 'of this, what its RPCs waited for lost packets')),
    some(number_column('sent again', load('retransmitted'), whole, 'packets')), some(number_column('at the limit', load('at_credit_limit_us'), duration, 'time with all credits in use')),
    some(number_column('to server', load('bytes_to_server'), bytes)), some(number_column('to client', load('bytes_to_client'), bytes)),
  ].filter(Boolean);
  return new Table({caption: 'Connections, those with the worst findings first', columns, rows, page: 10, noun: 'connection'}).element;
}

const OUTCOMES = {rejected: 'rejected', refused: 'refused', unanswered: 'not answered', unconfirmed: 'never confirmed', terminated: 'ended before the first message'};

function attempts_table(model) {
  const text = (name, value) => ({name, value, cell: (row) => printable(value(row) ?? '')});
  const columns = [
    text('client', (row) => row.client), text('server', (row) => row.server),
    {name: 'port', number: true, value: (row) => row.port, cell: (row) => (row.port === undefined ? '' : String(row.port))},
    {name: 'attempts', number: true, value: (row) => row.attempts, cell: (row) => datum(row.attempts, whole(row.attempts))},
    text('outcome', (row) => known(OUTCOMES, row.outcome) ?? row.outcome), {...text('because', (row) => row.reason_name ?? row.reason), class: 'text'}, text('by', (row) => row.by),
    {name: 'frames', cell: (row) => (row.frames ?? []).slice(0, 6).map((frame) => [link(to_frame(frame), String(frame), {class: 'chip'}), ' '])},
  ];
  return [el('h3', {}, 'Attempts to connect that failed'), new Table({caption: `${counted(model.attempts.length, 'kind')} of attempts`, columns, rows: model.attempts, page: 10, noun: 'attempt'}).element];
}

export function connections_view(model) {
  const rows = rows_of_connections(model);
  return [rows.length > 0 ? table_of(model, rows) : el('p', {}, badge('note', 'None'), ' No connection carried RPC-over-RDMA.'),
    model.attempts.length > 0 && attempts_table(model)];
}
