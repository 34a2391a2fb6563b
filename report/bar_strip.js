// The strip of bars: who waits, from when to when. A bar is an RPC, coloured by its operation; the time that went by on
// loss has a colour of its own, and a Call without a Reply is open on the right. Above them are the marks.
import {bars, laid_out, loss_of, span_of} from './bars.js';
import {AXES, Chart} from './chart.js';
import {BAND, draw_marks} from './mark_row.js';
import {grouped} from './places.js';
import {marks} from './series.js';
import {COLOURS, colour, operation_colour, readable_on} from './theme.js';
import {nearest_to, pointing} from './tips.js';
import {counted, duration} from './units.js';

const MOST_HEIGHT = 200; // pixels of all rows
const LEAST_LABELLED = 11; // pixels of a row that has room for text

// {chart, title, key} of a connection; `view` is the Overview.
export function bar_strip(model, conn, view) {
  const list = model.of_connection(conn);
  const laid = laid_out(model, list);
  const all_marks = marks(model, conn);
  const pitch = Math.max(Math.min(Math.floor(MOST_HEIGHT / Math.max(laid.rows, 1)), 18), 4);
  let shown = {bars: [], marks: []};
  const find = (x, y) => {
    const row = Math.floor((y - BAND) / pitch);
    const here = shown.bars.filter((bar) => bar.row === row && x >= bar.x - 3 && x <= bar.until + 3);
    const closest = here.sort((a, b) => off(a, x) - off(b, x))[0];
    return closest ? {rpc: model.rpcs[closest.index]} : mark_at(shown.marks, x, y);
  };
  const chart = new Chart({
    height: AXES + BAND + pitch * Math.max(laid.rows, 2) + 4,
    label: `${counted(list.length, 'RPC')} as bars from Call to Reply, ${counted(laid.rows, 'row')}: the most that were under way at once`,
    y: {range: () => [0, 1], splits: () => [], values: () => ''},
    draw: (_, context, box) => {
      const {window} = view;
      const x_of = (us) => ((us - window[0]) / (window[1] - window[0])) * box.width;
      shown = {bars: bars(model, list, laid, {from: window[0], to: window[1], width: box.width}), marks: draw_marks(all_marks, window, context, box, x_of)};
      draw_bars(shown.bars, model, {pitch, x_of}, context, box);
    },
    on_brush: (window) => view.zoom(window),
    ...pointing(view, model, find),
  });
  return {chart, title: 'Each RPC, from its Call to its Reply', key: null};
}

function off(bar, x) {
  return Math.max(bar.x - x, x - bar.until, 0);
}

function mark_at(marks, x, y) {
  const nearest = nearest_to(x, y);
  marks.forEach(({x: at, mark}) => nearest.add(at, BAND / 2, {mark}));
  return nearest.found;
}

function draw_bars(shown, model, {pitch, x_of}, context, box) {
  const height = Math.max(pitch - (pitch > 8 ? 3 : 1), 2);
  const y_of = (bar) => BAND + 3 + bar.row * pitch;
  const width_of = (bar) => Math.max(bar.until - bar.x, 1.4);
  for (const [place, some] of grouped(shown, ({op}) => Math.min(op, COLOURS - 1))) {
    context.fillStyle = operation_colour(place);
    for (const bar of some) {
      context.globalAlpha = bar.open ? 0.3 : 1;
      context.fillRect(bar.x, y_of(bar), width_of(bar), height);
    }
  }
  context.globalAlpha = 1;
  const losses = draw_losses(shown, model, {y_of, height, x_of}, context);
  draw_outlines(shown, {y_of, width_of, height}, context);
  if (height >= LEAST_LABELLED) {
    for (const bar of shown) {
      label(bar, losses.get(bar) ?? [], model.rpcs[bar.index], {y: y_of(bar), height}, context, box);
    }
  }
}

// What went by on loss, over the bars: stretches in pixels, by bar.
function draw_losses(shown, model, {y_of, height, x_of}, context) {
  const losses = new Map();
  context.fillStyle = colour('--lost');
  for (const bar of shown) {
    const rpc = model.rpcs[bar.index];
    if (!(rpc.record.recovery_us > 0)) {
      continue;
    }
    const begin = span_of(rpc).from;
    const stretches = loss_of(rpc.record).map(([from, to]) => [Math.max(x_of(begin + from), bar.x), Math.min(x_of(begin + to), bar.until)]).filter(([from, to]) => to > from);
    stretches.forEach(([from, to]) => context.fillRect(from, y_of(bar), Math.max(to - from, 1.4), height));
    losses.set(bar, stretches);
  }
  return losses;
}

// A ring of those that failed or have findings; of those that wait, all sides but the right one.
function draw_outlines(shown, {y_of, width_of, height}, context) {
  for (const [bad, style] of [[1, '--text'], [2, '--error']]) {
    context.strokeStyle = colour(style);
    context.lineWidth = bad;
    context.beginPath();
    for (const bar of shown.filter((one) => one.bad === bad && !one.open)) {
      context.rect(bar.x - 1, y_of(bar) - 0.5, width_of(bar) + 2, height + 1);
    }
    context.stroke();
  }
  context.strokeStyle = colour('--waiting');
  context.lineWidth = 1.6;
  context.beginPath();
  for (const bar of shown.filter((one) => one.open)) {
    const [x, y] = [bar.x, y_of(bar)];
    const until = bar.x + width_of(bar);
    context.moveTo(until, y + 0.5);
    context.lineTo(x, y + 0.5);
    context.lineTo(x, y + height - 0.5);
    context.lineTo(until, y + height - 0.5);
    for (let at = x + 6; at < until && height > 4; at += 9) { // hatched: it goes on
      context.moveTo(at, y + height - 1);
      context.lineTo(Math.min(at + 5, until), y + 1);
    }
  }
  context.stroke();
}

// Words on the widest part of a bar, where there is room for them.
function label(bar, losses, rpc, {y, height}, context, box) {
  const clip = ([from, to]) => [Math.max(from, 0), Math.min(to, box.width)];
  const size = ([from, to]) => to - from;
  const parts = [];
  let at = bar.x;
  for (const [from, to] of losses) {
    parts.push({lost: false, part: clip([at, from])}, {lost: true, part: clip([from, to])});
    at = to;
  }
  parts.push({lost: false, part: clip([at, bar.until])});
  const {lost, part} = parts.reduce((a, b) => (size(b.part) > size(a.part) ? b : a));
  if (size(part) < 34) {
    return;
  }
  const name = rpc.record.op ?? rpc.name;
  const text = lost ? `${name}: waits for ${rpc.refused ? 'a receive buffer' : 'what was lost'}, ${duration(rpc.record.recovery_us)}` : bar.open ? `${name}: no Reply${rpc.unanswered ? '' : ' arrived'}` : `${name} ${duration(span_of(rpc).to - rpc.us)}`;
  context.font = '11px system-ui, sans-serif';
  const room = size(part) - 8;
  const fitting = [text, name].find((one) => context.measureText(one).width <= room);
  if (!fitting) {
    return;
  }
  const under = lost ? colour('--lost') : operation_colour(bar.op);
  const x = part[0] + 4;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  if (bar.open) {
    context.fillStyle = colour('--card');
    context.fillRect(x - 2, y + 1.5, context.measureText(fitting).width + 4, height - 3);
  }
  context.fillStyle = bar.open ? colour('--text') : readable_on(under);
  context.fillText(fitting, x, y + height / 2 + 0.5);
}
