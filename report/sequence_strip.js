// The strip of sequence numbers, one of each end: what was sent, and acknowledged, against time; over it what was lost,
// sent again and refused, each with a shape of its own.
import {Chart} from './chart.js';
import {el, svg} from './dom.js';
import {bounds_of, number_text, sequence_words} from './sequence.js';
import {colour} from './theme.js';
import {nearest_to, pointing} from './tips.js';
import {counted, offset, printable} from './units.js';

const HEIGHT = 200;
// Around a point, in pixels. `line`: it is not filled.
const SHAPES = {
  acknowledged: {path: 'M-6 2h6v-4h6', colour: '--muted', line: true},
  sent: {path: 'M-1.5 -1.5h3v3h-3z', colour: '--op-0'},
  read_response: {path: 'M-1.5 -1.5h3v3h-3z', colour: '--op-2'},
  late: {path: 'M-3 -3h6v6h-6z', colour: '--op-4', line: true},
  sent_again: {path: 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', colour: '--op-1', line: true},
  nak: {path: 'M0 -5L5 4H-5z', colour: '--error'},
  rnr_nak: {path: 'M0 -5L5 4H-5z', colour: '--warning', line: true},
  acknowledgment_lost: {path: 'M-5 0H5M0 -5V5', colour: '--lost', line: true},
  lost: {path: 'M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5', colour: '--lost', line: true},
};

// [{chart, title, key}] of a connection; `view` is the Overview.
export function sequence_strips(model, conn, view) {
  const tcp = model.connections.get(conn)?.transport === 'iwarp';
  return (model.sequences.get(conn) ?? []).map((sequence) => sequence_strip(sequence, tcp, model, view));
}

function sequence_strip(sequence, tcp, model, view) {
  let bounds = [0, 1];
  let shown = [];
  const find = (x, y) => { // of several in one place the one on top
    const nearest = nearest_to(x, y);
    shown.slice().reverse().forEach((one) => nearest.add(one.x, one.y, {tip: () => tip(sequence, one, tcp)}));
    return nearest.found;
  };
  const unit = tcp ? 'bytes of the stream' : sequence.first === undefined ? 'packets' : 'PSN';
  const whose = printable(sequence.from);
  const of = tcp ? `what ${whose} sent` : `what ${whose} asked and sent, Read Responses to it included`;
  const chart = new Chart({
    height: HEIGHT,
    label: `Sequence numbers over time, from ${whose} to ${printable(sequence.to)}: ${sequence_words(sequence)}`,
    y: {
      range: () => (bounds = bounds_of(sequence, ...view.window)),
      values: (value) => number_text(sequence, value, tcp),
    },
    draw: (_, context, box) => {
      const [from, to] = view.window;
      shown = draw(sequence, tcp, {x_of: (us) => ((us - from) / (to - from)) * box.width, y_of: (at) => (1 - (at - bounds[0]) / (bounds[1] - bounds[0])) * box.height}, context, box);
    },
    on_brush: (window) => view.zoom(window),
    ...pointing(view, model, find),
  });
  return {chart, title: `Sequence numbers of ${of} (${unit})`, key: key_of(sequence)};
}

// Draws what is in the window, one of a kind a pixel or so; returns what a pointer can find: [{x, y, track, i}].
function draw(sequence, tcp, {x_of, y_of}, context, box) {
  const shown = [];
  for (const track of sequence.tracks) {
    const shape = SHAPES[track.what];
    context.strokeStyle = context.fillStyle = colour(shape.colour);
    context.lineWidth = track.what === 'lost' ? 2.2 : 1.4;
    if (track.what === 'acknowledged') {
      draw_steps(track, x_of, y_of, context);
      continue;
    }
    const path = new Path2D(shape.path);
    const taken = new Set();
    for (let i = 0; i < track.us.length; ++i) {
      const [x, y] = [x_of(track.us[i]), y_of(track.at[i])];
      const cell = Math.round(x / 2) * 4096 + Math.round(y / 2);
      if (x < -6 || x > box.width + 6 || taken.has(cell)) {
        continue;
      }
      taken.add(cell);
      if (!tcp && track.packets[i] > 1) { // as far as it reaches
        line([[x, y], [x, y_of(track.at[i] + track.packets[i] - 1)]], context);
      }
      context.save();
      context.translate(x, y);
      shape.line ? context.stroke(path) : context.fill(path);
      context.restore();
      shown.push({x, y, track, i});
    }
  }
  return shown;
}

function line([[x, y], ...rest], context) {
  context.beginPath();
  context.moveTo(x, y);
  rest.forEach(([to_x, to_y]) => context.lineTo(to_x, to_y));
  context.stroke();
}

function draw_steps({us, at}, x_of, y_of, context) {
  const corners = [];
  for (let i = 0; i < us.length; ++i) {
    const x = x_of(us[i]);
    i > 0 && corners.push([x, y_of(at[i - 1])]);
    corners.push([x, y_of(at[i])]);
  }
  line(corners, context);
}

function tip(sequence, {track, i}, tcp) {
  const number = number_text(sequence, track.at[i], tcp);
  const on_wire = tcp && sequence.first !== undefined ? `, TCP sequence number ${(sequence.first + track.at[i]) % 2 ** 32}` : '';
  const place = tcp ? `byte ${number} of the stream${on_wire}` : `${sequence.first === undefined ? 'packet' : 'PSN'} ${number}`;
  const some = track.packets[i] > 1 ? `, ${counted(track.packets[i], 'packet')}` : '';
  return [el('strong', {}, track.name), el('div', {}, `${place}${some}`), el('div', {}, `at ${offset(track.us[i])} s`),
    track.us.length < track.all && el('div', {class: 'muted'}, `one of ${counted(track.all, 'point')}, thinned out evenly`)];
}

function key_of({tracks}) {
  const sample = (what) => svg('svg', {viewBox: '-7 -7 14 14', width: 14, height: 14, 'aria-hidden': 'true', class: `shape ${what}${SHAPES[what].line ? ' line' : ''}`}, svg('path', {d: SHAPES[what].path}));
  return el('span', {class: 'key'}, tracks.map(({what, name}) => el('span', {class: 'shaped'}, sample(what), name)));
}
