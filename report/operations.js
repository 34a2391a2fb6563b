// Operations: the table that `steertag stats` prints, with a histogram for each; and every RPC in the
// page, the slowest first.
import {datum, el, link, svg} from './dom.js';
import {phase_legend} from './ladder.js';
import {time_spent} from './model.js';
import {to_finding, to_rpc} from './links.js';
import {grouped} from './places.js';
import {histogram} from './series.js';
import {PHASES} from './steps.js';
import {stat_name} from './summary.js';
import {Table} from './table.js';
import {bytes, duration, offset, percent, whole} from './units.js';

const COLUMNS = 22;

// A column of numbers: `value` of a row, shown by `text`.
function number_column(name, value, text, title) {
  return {name, title, number: true, value, cell: (row) => datum(value(row), text(value(row) ?? 0))};
}

function histogram_picture(counts, label) {
  const most = Math.max(...counts, 1);
  return svg('svg', {class: 'histogram', viewBox: `0 0 ${COLUMNS * 4} 24`, width: COLUMNS * 4, height: 24, role: 'img', 'aria-label': label},
    svg('line', {x1: 0, x2: COLUMNS * 4, y1: 23.5, y2: 23.5}),
    counts.map((count, i) => count > 0 && svg('rect', {x: i * 4, width: 3, y: 23 - Math.max((22 * count) / most, 1), height: Math.max((22 * count) / most, 1)})));
}

function phase_picture(stat) {
  const all = time_spent(stat);
  if (all === 0) {
    return '';
  }
  const parts = PHASES.filter(([name]) => stat.sums_us[name] > 0).map(([name]) => [name, stat.sums_us[name]]);
  let x = 0;
  return svg('svg', {class: 'phases', width: 80, height: 12, role: 'img', 'aria-label': parts.map(([name, us]) => `${name} ${percent(us, all)}`).join(', ')},
    parts.map(([name, us]) => {
      const width = (80 * us) / all;
      const part = svg('rect', {x, y: 0, width, height: 12, class: `phase ${name}`}, svg('title', {}, `${name}: ${duration(stat.phases[name])} on average, ${percent(us, all)}`));
      x += width;
      return part;
    }));
}

function stats_table(model, choose) {
  const rows = model.stats.filter((stat) => stat.interval === undefined);
  const all = rows.reduce((sum, stat) => sum + time_spent(stat), 0);
  const least = rows.reduce((low, stat) => Math.min(low, stat.delivered_us?.min ?? Infinity), Infinity);
  const most = rows.reduce((high, stat) => Math.max(high, stat.delivered_us?.max ?? 0), 1);
  const low = Math.max(least === Infinity ? 1 : least, 1);
  const length_of = ({record}) => record.total_us ?? record.delivered_us;
  const timed = grouped(model.rpcs.filter((rpc) => length_of(rpc) !== undefined), (rpc) => rpc.name);
  const picture = (stat) => {
    const times = (timed.get(stat_name(stat)) ?? []).map(length_of);
    const shape = histogram(times, low, most, COLUMNS, stat.histogram);
    return stat.timed > 0 && histogram_picture(shape, `Times of ${stat_name(stat)}: from ${duration(stat.delivered_us.min)} to ${duration(stat.delivered_us.max)}, median ${duration(stat.delivered_us.p50)}`);
  };
  const count = (name, title) => number_column(name, (stat) => stat[name], whole, title);
  const time = (name, key) => number_column(name, (stat) => stat.delivered_us?.[key], duration);
  const columns = [
    {name: 'operation', value: stat_name, cell: (stat) => el('button', {type: 'button', class: 'plain', title: 'Show its RPCs below', on: {click: () => choose(stat_name(stat))}}, stat_name(stat))},
    count('count'), count('failed', 'an NFS status that is not OK, refused, or a transport error'),
    count('unanswered'), count('retries', 'times that a Call was sent again'),
    time('mean', 'mean'), time('median', 'p50'), time('p99', 'p99'), time('longest', 'max'),
    number_column('time', time_spent, (us) => percent(us, all), 'share of all RPC time'),
    {name: `times, ${duration(low)} to ${duration(most)}`, title: 'histogram; each division of the scale is the same factor', cell: picture},
    {name: 'phases', title: 'mean share of each phase', cell: phase_picture},
    number_column('arguments', (stat) => stat.args_bytes, bytes), number_column('results', (stat) => stat.results_bytes, bytes),
  ];
  return new Table({caption: 'Operations, by the time that was spent on them', columns, rows, page: 40, sort: 'time', noun: 'operation'}).element;
}

function state_of(rpc) {
  return rpc.failure ?? (rpc.unanswered ? 'no Reply' : rpc.record.status === 'no_call' ? 'no Call' : rpc.record.complete === false ? 'incomplete' : '');
}

class Rpcs {
  constructor(model) {
    this.model = model;
    this.op = el('select', {'aria-label': 'Operation', on: {change: () => this.#filter()}}, el('option', {value: ''}, 'all operations'), model.ops.map((name) => el('option', {value: name}, name)));
    this.state = el('select', {'aria-label': 'State', on: {change: () => this.#filter()}},
      [['', 'any outcome'], ['bad', 'failed or unanswered'], ['found', 'with findings'], ['lost', 'disturbed by loss']].map(([value, text]) => el('option', {value}, text)));
    const conns = [...model.connections.keys()].slice(0, 500);
    this.conn = el('select', {'aria-label': 'Connection', on: {change: () => this.#filter()}}, el('option', {value: ''}, 'all connections'), conns.map((conn) => el('option', {value: conn}, `connection ${conn}`)));
    this.window = null;
    this.table = new Table({caption: 'RPCs, the slowest first', columns: this.#columns(), rows: model.rpcs, sort: 'took', noun: 'RPC'});
    this.note = el('span', {class: 'status', role: 'status'});
    this.element = el('div', {id: 'rpcs'}, el('div', {class: 'controls'}, this.op, this.state, conns.length > 1 && this.conn, this.note), this.table.element);
  }

  choose(op) {
    this.op.value = this.model.ops.includes(op) ? op : '';
    this.#filter();
    this.element.scrollIntoView();
    this.op.focus();
  }
  // Only those that were sent within a window of the timeline; null: all.
  within(window) {
    this.window = window;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#filter(), 150);
  }

  #filter() {
    const [op, state, conn] = [this.op.value, this.state.value, Number(this.conn.value)];
    const place = op === '' ? -1 : this.model.ops.indexOf(op);
    const states = {bad: (rpc) => rpc.failure !== null || rpc.unanswered, found: (rpc) => rpc.findings !== null, lost: (rpc) => rpc.record.repeats > 0 || rpc.record.recovery_us > 0};
    this.table.set(this.model.rpcs.filter((rpc) => (place < 0 || rpc.op === place) && (state === '' || states[state](rpc)) && (!conn || rpc.conn === conn) &&
      (!this.window || (rpc.us >= this.window[0] && rpc.us <= this.window[1]))));
    this.note.textContent = this.window ? 'Only those in view in the timeline' : '';
  }

  #columns() {
    const {model} = this;
    return [
      {name: 'operation', value: (rpc) => rpc.name, cell: (rpc) => link(to_rpc(rpc, model), rpc.name)},
      number_column('took', (rpc) => rpc.length, duration, 'until its Reply was delivered, of all attempts'),
      {name: 'sent at', title: 'seconds since the first frame', number: true, value: (rpc) => rpc.us, cell: (rpc) => offset(rpc.us)},
      {name: 'conn', number: true, value: (rpc) => rpc.conn, cell: (rpc) => String(rpc.conn)},
      {name: 'XID', class: 'mono', value: (rpc) => rpc.xid, cell: (rpc) => rpc.xid},
      {name: 'frames', class: 'mono', value: (rpc) => rpc.frame, cell: (rpc) => [rpc.record.call_frame, rpc.record.reply_frame].filter((frame) => frame !== undefined).join('–')},
      number_column('arguments', (rpc) => rpc.record.args_length, bytes), number_column('results', (rpc) => rpc.record.results_length, bytes),
      {name: 'waited on', value: (rpc) => rpc.record.waited_on, cell: (rpc) => rpc.record.waited_on ?? ''},
      {name: 'outcome', value: state_of, cell: (rpc) => [state_of(rpc), rpc.findings && rpc.findings.slice(0, 3).map(({record}) => [' ', link(to_finding(record), record.rule)]),
        rpc.unwritten > 0 && el('span', {class: 'wrong'}, ` ${bytes(rpc.unwritten)} never written`)]},
    ];
  }
}

export function operations_view(model) {
  const rpcs = new Rpcs(model);
  const view = el('div', {}, stats_table(model, (op) => rpcs.choose(op)), phase_legend(), el('h3', {}, 'RPCs'), rpcs.element);
  return {element: view, rpcs};
}
