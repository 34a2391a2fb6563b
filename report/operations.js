// Operations: the table that `steertag stats` prints, with a histogram for each; and below it every RPC in
// the page.
import {el, svg} from './dom.js';
import {phase_legend} from './ladder.js';
import {time_lost, time_waited} from './model.js';
import {grouped} from './places.js';
import {Rpcs} from './rpc_table.js';
import {histogram} from './series.js';
import {PHASES} from './steps.js';
import {stat_name} from './summary.js';
import {number_column, Table} from './table.js';
import {bytes, duration, percent, whole} from './units.js';

export const COLUMNS = 22;

export function histogram_picture(counts, label) {
  const most = Math.max(...counts, 1);
  return svg('svg', {class: 'histogram', viewBox: `0 0 ${COLUMNS * 4} 24`, width: COLUMNS * 4, height: 24, role: 'img', 'aria-label': label},
    svg('line', {x1: 0, x2: COLUMNS * 4, y1: 23.5, y2: 23.5}),
    counts.map((count, i) => count > 0 && svg('rect', {x: i * 4, width: 3, y: 23 - Math.max((22 * count) / most, 1), height: Math.max((22 * count) / most, 1)})));
}

function phase_picture(stat) {
  const all = time_waited(stat);
  if (all === 0) {
    return '';
  }
  const sums = {...stat.sums_us, waiting: stat.waiting_us ?? 0};
  const parts = [...PHASES.map(([name]) => name), 'waiting'].filter((name) => sums[name] > 0).map((name) => [name, sums[name]]);
  const length = (name) => (name === 'waiting' ? `${duration(stat.longest_waiting_us)} at most` : `${duration(stat.phases[name])} on average`);
  const lost = time_lost(stat);
  const words = [...parts.map(([name, us]) => `${name} ${percent(us, all)}`), lost > 0 && `${percent(lost, all)} of it on loss`].filter(Boolean);
  let x = 0;
  return svg('svg', {class: 'phases', width: 80, height: 12, role: 'img', 'aria-label': words.join(', ')},
    parts.map(([name, us]) => {
      const width = (80 * us) / all;
      const part = svg('rect', {x, y: 0, width, height: 12, class: `phase ${name}`}, svg('title', {}, `${name}: ${length(name)}, ${percent(us, all)}`));
      x += width;
      return part;
    }),
    lost > 0 && svg('rect', {x: 0, y: 7, width: Math.max((80 * lost) / all, 1), height: 5, class: 'phase loss'}, svg('title', {}, `${duration(lost)} in all went by on loss`)));
}

// How long an RPC took, as tables count it.
export function length_of({record}) {
  return record.total_us ?? record.delivered_us;
}

function stats_table(model, choose) {
  const rows = model.stats.filter((stat) => stat.interval === undefined);
  const all = rows.reduce((sum, stat) => sum + time_waited(stat), 0);
  const least = rows.reduce((low, stat) => Math.min(low, stat.delivered_us?.min ?? Infinity), Infinity);
  const most = rows.reduce((high, stat) => Math.max(high, stat.delivered_us?.max ?? 0), 1);
  const low = Math.max(least === Infinity ? 1 : least, 1);
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
    count('unanswered', 'no Reply to them was captured'), count('retries', 'times that a Call was sent again'),
    time('mean', 'mean'), time('median', 'p50'), time('p99', 'p99'), time('longest', 'max'),
    ...(rows.some((stat) => stat.waiting_us > 0) ? [number_column('waiting', (stat) => stat.longest_waiting_us, duration, 'the longest wait for a Reply that did not come')] : []),
    number_column('time', time_waited, (us) => percent(us, all), 'share of all RPC time'),
    {name: `times, ${duration(low)} to ${duration(most)}`, title: 'histogram; each division of the scale is the same factor', cell: picture},
    {name: 'phases', title: 'mean share of each phase', cell: phase_picture},
    number_column('arguments', (stat) => stat.args_bytes, bytes), number_column('results', (stat) => stat.results_bytes, bytes),
  ];
  return new Table({caption: 'Operations, by the time that was spent on them', columns, rows, page: 40, sort: 'time', noun: 'operation'}).element;
}

export function operations_view(model, {on_asked = () => {}} = {}) {
  const rpcs = new Rpcs(model, on_asked);
  const view = el('div', {}, stats_table(model, (op) => rpcs.choose(op)), phase_legend(), el('h3', {}, 'RPCs'), rpcs.element);
  return {element: view, rpcs};
}
