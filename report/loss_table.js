// The losses of a connection as a table: what the chart of sequence numbers shows, for who reads or hears it.
import {datum, el, link} from './dom.js';
import {to_frame, to_rpc} from './links.js';
import {number_column, Table} from './table.js';
import {counted, duration, known, offset, printable, whole} from './units.js';

const NOTICED = {nak: 'NAK', rnr_nak: 'RNR NAK', read_retry: 'Read Request again', timeout: 'timeout', duplicate_acks: 'duplicate ACKs'};
const WHERE = {before_tap: 'before the tap', after_tap: 'behind the tap', receiver: 'refused by the receiver', unknown: 'not known'};
const WHAT = {data: 'data', ack: 'acknowledgment', setup: 'connection setup'};
const MOST_RPCS = 4; // of a row

// {words, element} of a connection; null: it lost nothing.
export function losses_of(model, conn) {
  const rows = model.losses.get(conn) ?? [];
  if (rows.length === 0) {
    return null;
  }
  const frame = (row, key) => row.record[key] !== undefined && link(to_frame(row.record[key]), String(row.record[key]), {class: 'chip'});
  const text = (name, key, words) => ({name, value: (row) => row.record[key], cell: (row) => known(words, row.record[key]) ?? printable(row.record[key] ?? 'not known')});
  const where = ({record}) => (record.packets === 0 ? '–' : known(WHERE, record.where) ?? printable(record.where ?? 'not known'));
  const tcp = model.connections.get(conn)?.transport === 'iwarp';
  const columns = [
    {name: 'at (s)', number: true, value: (row) => row.us, cell: (row) => datum(row.us, offset(row.us))},
    {name: 'sent by', value: (row) => row.record.from, cell: (row) => printable(row.record.from)},
    {name: 'first number', number: true, value: (row) => row.record.first, cell: (row) => datum(row.record.first, String(row.record.first)), title: 'PSN, or TCP sequence number, of the first packet'},
    tcp && number_column('byte', (row) => byte_of(row.record, model), whole, 'of the stream, as the chart counts: from the first that was captured'),
    number_column('lost', (row) => row.record.packets, (packets) => (packets === 0 ? 'nothing' : whole(packets)), 'packets, at least; nothing: none was, for all that the capture shows'),
    {name: 'what', value: (row) => row.record.what, cell: (row) => WHAT[row.record.what] ?? 'data'},
    {name: 'where', value: where, cell: where}, text('noticed by', 'noticed_by', NOTICED),
    number_column('sent again', (row) => row.record.resent_packets ?? 0, whole, 'packets'),
    number_column('took', (row) => row.record.delay_us, duration, 'until a copy was accepted'),
    {name: 'frames', title: 'The first copy, what told of the loss, the first that was sent again', cell: (row) => ['sent_frame', 'noticed_frame', 'resent_frame'].map((key) => [frame(row, key), ' '])},
    {name: 'RPCs that waited', number: false, value: (row) => row.record.waiting, cell: (row) => waiting(row.record, model)},
  ].filter(Boolean);
  const caption = `Losses of connection ${conn}`;
  const left_out = (model.report.losses ?? 0) - (model.report.losses_shown ?? 0);
  return {words: counted(rows.length, 'loss', 'losses'), element: el('div', {class: 'losses'}, new Table({caption, columns, rows, page: 10}).element,
    left_out > 0 && el('p', {class: 'small muted'}, `${counted(left_out, 'loss', 'losses')} of all connections that took less time ${left_out === 1 ? 'is' : 'are'} not in this page.`))};
}

// Where on the chart a TCP sequence number is; undefined: it is not drawn.
function byte_of({conn, from, first}, model) {
  const sequence = (model.sequences.get(conn) ?? []).find((one) => one.from === from);
  return sequence?.first === undefined ? undefined : (first - sequence.first) >>> 0;
}

function waiting(record, model) {
  const rpcs = record.rpcs ?? [];
  const parts = rpcs.slice(0, MOST_RPCS).map(({conn, xid}) => {
    const rpc = model.find(conn, xid);
    return [link(rpc && to_rpc(rpc, model), printable(xid), {class: 'chip'}), ' '];
  });
  return [parts, rpcs.length > MOST_RPCS && `and ${whole(rpcs.length - MOST_RPCS)} more`];
}
