// Operations: the table that `steertag stats` prints, with a histogram for each; and every RPC in the
// page, the slowest first.
import {datum, el, link, svg} from './dom.js';
import {phase_legend} from './ladder.js';
import {operation, time_spent} from './model.js';
import {to_finding, to_rpc} from './links.js';
import {histogram} from './series.js';
import {PHASES} from './steps.js';
import {stat_name} from './summary.js';
import {Table} from './table.js';
import {bytes, duration, offset, percent, whole} from './units.js';

const COLUMNS = 22;

function time_column(name, key, title) {
  return {name, title, number: true, value: (stat) => stat.delivered_us?.[key], cell: (stat) => datum(stat.delivered_us?.[key], duration(stat.delivered_us?.[key] ?? 0))};
}

function count_column(name, key, title) {
  return {name, title, number: true, value: (stat) => stat[key], cell: (stat) => datum(stat[key], whole(stat[key] ?? 0))};
}

function size_column(name, key, title) {
  return {name, title, number: true, value: (stat) => stat[key], cell: (stat) => datum(stat[key], bytes(stat[key] ?? 0))};
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

function lengths_of(model) {
  const lengths = new Map();
  for (const rpc of model.rpcs) {
    const length = rpc.record.total_us ?? rpc.record.delivered_us;
    if (length !== undefined) {
      lengths.has(rpc.name) ? lengths.get(rpc.name).push(length) : lengths.set(rpc.name, [length]);
    }
  }
  return lengths;
}

function stats_table(model, choose) {
  const rows = model.stats.filter((stat) => stat.interval === undefined);
  const all = rows.reduce((sum, stat) => sum + time_spent(stat), 0);
  const least = rows.reduce((low, stat) => Math.min(low, stat.delivered_us?.min ?? Infinity), Infinity);
  const most = rows.reduce((high, stat) => Math.max(high, stat.delivered_us?.max ?? 0), 1);
  const low = Math.max(least === Infinity ? 1 : least, 1);
  const lengths = lengths_of(model);
  const picture = (stat) => {
    const times = lengths.get(stat_name(stat)) ?? [];
    const shape = histogram(times, low, most, COLUMNS, stat.histogram);
    return stat.timed > 0 && histogram_picture(shape, `Times of ${stat_name(stat)}: from ${duration(stat.delivered_us.min)} to ${duration(stat.delivered_us.max)}, median ${duration(stat.delivered_us.p50)}`);
  };
  const columns = [
    {name: 'operation', value: stat_name, cell: (stat) => el('button', {type: 'button', class: 'plain', title: 'Show its RPCs below', on: {click: () => choose(stat_name(stat))}}, stat_name(stat))},
    count_column('count', 'count'), count_column('failed', 'failed', 'an NFS status that is not OK, refused, or a transport error'),
    count_column('unanswered', 'unanswered'), count_column('retries', 'retries', 'times that a Call was sent again'),
    time_column('mean', 'mean'), time_column('median', 'p50'), time_column('p99', 'p99'), time_column('longest', 'max'),
    {name: 'time', title: 'share of all RPC time', number: true, value: time_spent, cell: (stat) => datum(time_spent(stat), percent(time_spent(stat), all))},
    {name: `times, ${duration(low)} to ${duration(most)}`, title: 'histogram; each division of the scale is the same factor', cell: picture},
    {name: 'phases', title: 'mean share of each phase', cell: phase_picture},
    size_column('arguments', 'args_bytes'), size_column('results', 'results_bytes'),
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
    const size = (name, key) => ({name, number: true, value: (rpc) => rpc.record[key], cell: (rpc) => datum(rpc.record[key], bytes(rpc.record[key] ?? 0))});
    return [
      {name: 'operation', value: (rpc) => rpc.name, cell: (rpc) => link(to_rpc(rpc, model), rpc.name)},
      {name: 'took', title: 'until its Reply was delivered, of all attempts', number: true, value: (rpc) => rpc.length, cell: (rpc) => datum(rpc.length, duration(rpc.length ?? 0))},
      {name: 'sent at', title: 'seconds since the first frame', number: true, value: (rpc) => rpc.us, cell: (rpc) => offset(rpc.us)},
      {name: 'conn', number: true, value: (rpc) => rpc.conn, cell: (rpc) => String(rpc.conn)},
      {name: 'XID', class: 'mono', value: (rpc) => rpc.xid, cell: (rpc) => rpc.xid},
      {name: 'frames', class: 'mono', value: (rpc) => rpc.frame, cell: (rpc) => [rpc.record.call_frame, rpc.record.reply_frame].filter((frame) => frame !== undefined).join('–')},
      size('arguments', 'args_length'), size('results', 'results_length'),
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

export {operation};
