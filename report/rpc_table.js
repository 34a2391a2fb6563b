// The table of RPCs, the slowest first: filtered by words, by time, by operation, outcome and connection, and by
// the window of the timeline; what it shows can be saved as CSV.
import {save} from './carry.js';
import {csv_of} from './csv.js';
import {datum, el, link} from './dom.js';
import {to_finding, to_rpc} from './links.js';
import {RpcFilter, state_of, time_of} from './rpc_filter.js';
import {number_column, Table} from './table.js';
import {bytes, clock, counted, duration, iso_date, offset, printable} from './units.js';

const WAIT_MS = 150; // until what is typed is searched for

export class Rpcs {
  // on_asked: called with what is asked for, {text, least, op, state, conn}, when somebody changes it.
  constructor(model, on_asked) {
    this.model = model;
    this.on_asked = on_asked;
    this.filter = new RpcFilter(model);
    this.window = null;
    const changed = {change: () => {
      this.changed = true;
      this.#filter();
    }};
    const typed = {input: () => {
      this.changed = true;
      this.#soon();
    }};
    this.text = el('input', {type: 'search', 'aria-label': 'Only RPCs with these words', placeholder: 'words, XID, frame, rule …', on: typed});
    this.least = el('input', {type: 'text', class: 'short', 'aria-label': 'Only RPCs that took at least', placeholder: 'from 10 ms', on: typed});
    this.op = el('select', {'aria-label': 'Operation', on: changed}, el('option', {value: ''}, 'all operations'), model.ops.map((name) => el('option', {value: name}, name)));
    this.state = el('select', {'aria-label': 'State', on: changed},
      [['', 'any outcome'], ['bad', 'failed or unanswered'], ['found', 'with findings'], ['lost', 'disturbed by loss']].map(([value, text]) => el('option', {value}, text)));
    const conns = [...model.connections.keys()].slice(0, 500);
    this.conn = el('select', {'aria-label': 'Connection', on: changed}, el('option', {value: ''}, 'all connections'), conns.map((conn) => el('option', {value: conn}, `connection ${conn}`)));
    this.columns = columns_of(model);
    this.table = new Table({caption: 'RPCs, the slowest first', columns: this.columns, rows: model.rpcs, sort: 'took', noun: 'RPC'});
    this.note = el('span', {class: 'status', role: 'status'});
    const csv = el('button', {type: 'button', title: 'all rows that match, in this order', on: {click: () => this.#save()}}, 'Save as CSV');
    this.element = el('div', {id: 'rpcs'}, el('div', {class: 'controls'}, this.text, this.least, this.op, this.state, conns.length > 1 && this.conn, csv, this.note), this.table.element);
  }

  choose(op) {
    this.op.value = this.model.ops.includes(op) ? op : '';
    this.changed = true;
    this.#filter();
    this.element.scrollIntoView();
    this.op.focus();
  }
  // As if it were typed.
  ask({text, least, op, state, conn}) {
    [this.text.value, this.least.value] = [text, least];
    [[this.op, op], [this.state, state], [this.conn, conn]].forEach(([select, value]) => {
      select.value = [...select.options].some((option) => option.value === value) ? value : '';
    });
    this.#filter();
  }
  get asked() {
    return {text: this.text.value, least: this.least.value, op: this.op.value, state: this.state.value, conn: this.conn.value};
  }
  // Only those that were under way within a window of the timeline; null: all.
  within(window) {
    this.window = window;
    this.#soon();
  }

  #soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#filter(), WAIT_MS);
  }

  #filter() {
    const least = time_of(this.least.value);
    least === null ? this.least.setAttribute('aria-invalid', 'true') : this.least.removeAttribute('aria-invalid');
    const rows = this.filter.chosen({text: this.text.value, least: least ?? 0, op: this.op.value === '' ? -1 : this.model.ops.indexOf(this.op.value), state: this.state.value,
      conn: Number(this.conn.value), window: this.window});
    this.table.set(rows);
    if (this.changed) {
      this.changed = false;
      this.on_asked(this.asked);
    }
    this.note.textContent = [rows.length < this.model.rpcs.length && `${counted(rows.length, 'RPC')} of ${counted(this.model.rpcs.length, 'RPC')}`, least === null && 'a time is like 10 ms',
      this.window && 'only those in view in the timeline'].filter(Boolean).join('; ');
  }

  #save() {
    save('rpcs.csv', 'text/csv', csv_of(this.columns.map(({name, csv, value}) => ({name: csv?.name ?? name, value: csv?.value ?? value})), this.table.shown));
  }
}

// Which file an RPC is about, which part of it, and for whom: a column where the capture says it.
const OF_FILES = ['file', 'offset', 'user'];

function columns_of(model) {
  const waited = (rpc) => rpc.length ?? (rpc.waits ? rpc.end - rpc.us : undefined);
  const time = (name, value, title) => ({...number_column(name, value, duration, title), csv: {name: `${name}_us`, value}});
  const of_files = OF_FILES.filter((name) => model.rpcs.some(({record}) => record[name] !== undefined))
    .map((name) => ({name, value: (rpc) => rpc.record[name], cell: (rpc) => printable(rpc.record[name] ?? '')}));
  const frames = (rpc) => [rpc.record.call_frame, rpc.record.reply_frame].filter((frame) => frame !== undefined);
  const accepted = (rpc) => [rpc.record.call_accepted_frame, rpc.record.reply_accepted_frame].filter((frame) => frame !== undefined);
  const sent = (rpc) => rpc.record.call_time ?? rpc.record.reply_time;
  return [
    {name: 'operation', value: (rpc) => rpc.name, cell: (rpc) => link(to_rpc(rpc, model), rpc.name)},
    {name: 'took', title: 'until its Reply was delivered, of all attempts; > where none came: so long it has waited', number: true, value: waited,
      cell: (rpc) => (rpc.length === undefined && rpc.waits ? el('data', {value: waited(rpc)}, `> ${duration(waited(rpc))}`) : datum(rpc.length, duration(rpc.length ?? 0))), csv: {name: 'took_us', value: (rpc) => rpc.length}},
    {name: 'sent at', title: 'seconds since the first frame', number: true, value: (rpc) => rpc.us, cell: (rpc) => offset(rpc.us), csv: {name: 'sent_at_s', value: (rpc) => offset(rpc.us)}},
    {name: 'clock (UTC)', title: 'by the tap’s clock', class: 'mono', value: (rpc) => rpc.us, cell: (rpc) => el('time', {datetime: iso_date(sent(rpc)), title: iso_date(sent(rpc))}, clock(sent(rpc))),
      csv: {name: 'clock', value: (rpc) => iso_date(sent(rpc))}},
    {name: 'conn', number: true, value: (rpc) => rpc.conn, cell: (rpc) => String(rpc.conn)},
    {name: 'XID', class: 'mono', value: (rpc) => rpc.xid, cell: (rpc) => rpc.xid},
    {name: 'frames', class: 'mono', value: (rpc) => rpc.frame, title: 'of its Call and of its Reply; and of the copies that were accepted, where the first ones were not',
      cell: (rpc) => frames(rpc).join('–') + (accepted(rpc).length > 0 ? `, accepted ${accepted(rpc).join(' and ')}` : ''), csv: {value: (rpc) => [...frames(rpc), ...accepted(rpc)].join(' ')}},
    ...of_files,
    number_column('arguments', (rpc) => rpc.record.args_length, bytes), number_column('results', (rpc) => rpc.record.results_length, bytes),
    model.rpcs.some(({record}) => record.recovery_us > 0) && time('on loss', (rpc) => rpc.record.recovery_us, 'of the time it took, waiting for what was lost'),
    {name: 'waited on', value: (rpc) => rpc.record.waited_on, cell: (rpc) => rpc.record.waited_on ?? ''},
    {name: 'outcome', value: state_of, cell: (rpc) => [state_of(rpc), rpc.findings && rpc.findings.slice(0, 3).map(({record}) => [' ', link(to_finding(record), record.rule)]),
      rpc.unwritten > 0 && el('span', {class: 'wrong'}, ` ${bytes(rpc.unwritten)} never written`)],
    csv: {value: (rpc) => [state_of(rpc), ...(rpc.findings ?? []).map(({record}) => record.rule)].filter(Boolean).join(' ')}},
  ].filter(Boolean);
}
