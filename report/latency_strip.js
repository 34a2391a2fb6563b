// The strip of latencies: a dot is an RPC, when its Call was sent and how long it took, on a logarithmic scale.
import {AXES, Chart} from './chart.js';
import {grouped} from './places.js';
import {dots, latency_scale} from './series.js';
import {COLOURS, colour, operation_colour} from './theme.js';
import {nearest_to, pointing} from './tips.js';
import {counted, duration} from './units.js';

const HEIGHT = 150;

// {chart, title, key} of a connection; `view` is the Overview.
export function latency_strip(model, conn, view) {
  const list = model.of_connection(conn);
  const lengths = list.map((i) => model.rpcs[i].length).filter((length) => length !== undefined);
  const least = lengths.reduce((a, b) => Math.min(a, b), Infinity);
  const most = lengths.reduce((a, b) => Math.max(a, b), 0);
  const scale = latency_scale(lengths, HEIGHT - AXES, 0);
  let shown = [];
  const find = (x, y) => {
    const nearest = nearest_to(x, y);
    shown.forEach((dot) => nearest.add(dot.x, dot.y, {rpc: model.rpcs[dot.index]}));
    return nearest.found;
  };
  const chart = new Chart({
    height: HEIGHT,
    label: `Latency of ${counted(lengths.length, 'RPC')}: from ${duration(least === Infinity ? 0 : least)} to ${duration(most)}`,
    y: {log: true, range: () => [scale.low, scale.top], most: scale.high, values: (value) => (Math.abs(Math.log10(value) % 1) < 1e-6 ? duration(value) : '')},
    draw: (_, context, box) => { shown = draw(model, list, view.window, scale, context, box); },
    on_brush: (window) => view.zoom(window),
    ...pointing(view, model, find),
  });
  return {chart, title: 'Latency of each RPC', key: null};
}

function draw(model, list, [from, to], {low, top}, context, box) {
  const x_of = (us) => ((us - from) / (to - from)) * box.width;
  const log = Math.log(top / low);
  const y_of = (length) => (1 - Math.log(length / low) / log) * box.height; // as the axis has it
  const shown = dots(model, list, {from, to, width: box.width, height: box.height, x_of, y_of});
  const size = shown.length > 4000 ? 1.5 : shown.length > 600 ? 2.2 : 3.2;
  for (const [place, some] of grouped(shown, ({op}) => Math.min(op, COLOURS - 1))) {
    context.fillStyle = operation_colour(place);
    context.beginPath();
    for (const {x, y} of some) {
      context.moveTo(x + size, y);
      context.arc(x, y, size, 0, 2 * Math.PI);
    }
    context.fill();
  }
  for (const [bad, style] of [[1, '--text'], [2, '--error']]) {
    context.strokeStyle = colour(style);
    context.lineWidth = bad;
    context.beginPath();
    for (const {x, y} of shown.filter((dot) => dot.bad === bad)) {
      context.moveTo(x + size + 2.5, y);
      context.arc(x, y, size + 2.5, 0, 2 * Math.PI);
    }
    context.stroke();
  }
  return shown;
}
