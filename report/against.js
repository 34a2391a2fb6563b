// Against: two captures beside each other. "Here" is the one that the page is of, "there" the other. It shows
// what stands out in each, their operations, and the rules that either breaks. Of the other one the page holds fewer RPCs.
import {datum, el} from './dom.js';
import {health} from './health.js';
import {COLUMNS, histogram_picture, length_of} from './operations.js';
import {grouped} from './places.js';
import {histogram} from './series.js';
import {extent_text, list_of, standing_out, stat_name, title_of, totals, what_it_is} from './summary.js';
import {number_column, Table} from './table.js';
import {duration, printable, whole} from './units.js';

// What both have, and what one of them has: [{name, here, there}], in the order of these lists. Either is absent
// where it has none.
export function side_by_side(here, there, name_of) {
  const rows = new Map(here.map((one) => [name_of(one), {name: name_of(one), here: one}]));
  for (const one of there) {
    const name = name_of(one);
    rows.set(name, {...(rows.get(name) ?? {name}), there: one});
  }
  return [...rows.values()];
}

function totals_table(model, other) {
  const there = totals(other);
  const rows = totals(model).map((one, i) => ({...one, here: one.value, there: there[i].value}));
  const column = (name, side) => ({name, number: true, cell: (row) => datum(row[side], row.text(row[side] ?? 0))});
  return new Table({caption: 'All RPCs and connections', columns: [{name: 'what', cell: ({name}) => name}, column('here', 'here'), column('there', 'there')], rows}).element;
}

// A row for an operation here, and one below it for the same there; none where it does not occur.
function operations_table(model, other) {
  const sides = [['here', model], ['there', other]].map(([side, of]) => ({side, stats: of.stats.filter((stat) => stat.interval === undefined),
    timed: grouped(of.rpcs.filter((rpc) => length_of(rpc) !== undefined), (rpc) => rpc.name)}));
  const all = sides.flatMap(({stats}) => stats);
  const low = Math.max(Math.min(...all.map((stat) => stat.delivered_us?.min ?? Infinity)), 1);
  const least = low === Infinity ? 1 : low;
  const most = Math.max(...all.map((stat) => stat.delivered_us?.max ?? 0), 1);
  const rows = side_by_side(sides[0].stats, sides[1].stats, stat_name).flatMap((row) => sides.map((side) => ({name: row.name, ...side, stat: row[side.side]})).filter(({stat}) => stat));
  const picture = ({name, side, stat, timed}) => (stat.timed > 0 && histogram_picture(histogram((timed.get(name) ?? []).map(length_of), least, most, COLUMNS),
    `Times of ${name} ${side}: from ${duration(stat.delivered_us.min)} to ${duration(stat.delivered_us.max)}, median ${duration(stat.delivered_us.p50)}`)) || '';
  const column = (name, value, text, title) => ({name, title, number: true, cell: ({stat}) => datum(value(stat), text(value(stat) ?? 0))});
  const columns = [
    {name: 'operation', cell: ({name}) => name}, {name: 'where', cell: ({side}) => side},
    column('count', (stat) => stat.count, whole), column('failed', (stat) => stat.failed, whole, 'an NFS status that is not OK, refused, or a transport error'),
    column('unanswered', (stat) => stat.unanswered, whole), column('median', (stat) => stat.delivered_us?.p50, duration),
    column('p99', (stat) => stat.delivered_us?.p99, duration), column('longest', (stat) => stat.delivered_us?.max, duration),
    {name: `times, ${duration(least)} to ${duration(most)}`, title: 'histogram; each division of the scale is the same factor', cell: picture},
  ];
  return new Table({caption: 'Operations of both', columns, rows, page: 40, noun: 'operation'}).element;
}

function rules_table(model, other) {
  const broken = ({tallies}) => [...tallies.values()].filter((tally) => tally.broken > 0);
  const column = (name) => number_column(name, (row) => row[name]?.broken, whole, 'how often it was broken');
  const columns = [{name: 'rule', value: ({name}) => name, cell: ({name}) => name}, {name: 'name', cell: ({name}) => model.rules.get(name)?.name ?? ''}, column('here'), column('there')];
  const rows = side_by_side(broken(model), broken(other), ({rule}) => rule).sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Table({caption: 'Rules that either breaks', columns, rows, page: 40, noun: 'rule'}).element;
}

function one_side(model, where, name, linked) {
  const answer = health(model);
  const items = standing_out(model).map((item) => (linked ? item : {...item, fragment: undefined, also: undefined}));
  return el('section', {class: 'answer'}, el('h3', {}, `${where}: ${name}`),
    el('p', {class: 'small muted'}, extent_text(model)),
    el('p', {}, what_it_is(model)), el('p', {}, el('strong', {class: 'word'}, answer.word), ' ', answer.sentence), list_of(items, model.connections.size > 0));
}

export function against_view(model, other) {
  const alike = title_of(model) === title_of(other);
  const name_of = (one) => (alike ? printable(one.report.files?.[0] ?? '') : title_of(one));
  return [
    el('p', {class: 'lead'}, 'All else in this page is of the capture here. steertag diff says which differences are more than noise.'),
    el('div', {class: 'answers'}, one_side(model, 'Here', name_of(model), true), one_side(other, 'There', name_of(other), false)),
    totals_table(model, other), operations_table(model, other), rules_table(model, other),
  ];
}
