// The drawing of a ladder: Requester and Responder as two lines, time downwards, an arrow for each step, and the phases
// as a bar beside it. The table below the drawing says the same: a step leads to its row.
import {el, svg} from './dom.js';
import {frame_text} from './steps.js';
import {counted, duration} from './units.js';

const ROW = 34; // pixels between two steps, at least ...
const TALL_ROW = 46; // ... and where the frames and the time of each stand below it
const STRETCH = 240; // and so many more for all of the time

// steps: those of steps.js; rows: their rows in the table; total: microseconds of all of it; width: pixels.
export function draw_ladder({steps, rows, total, ends, label, phases, losses, width}) {
  const narrow = width < 560;
  const [left, right] = narrow ? [80, width - 16] : [190, width - 90];
  const scale = scale_of(total, steps, narrow ? TALL_ROW : ROW);
  const height = scale.bottom + 30;
  const drawing = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `Ladder of ${label}: ${counted(steps.length, 'step')}, listed in the table below`});
  drawing.append(svg('defs', {}, svg('marker', {id: 'head', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 12, markerHeight: 12, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse'}, svg('path', {d: 'M0 0L10 5L0 10z', class: 'head'}))));
  for (const [i, x] of [left, right].entries()) {
    const anchor = !narrow ? 'middle' : i === 0 ? 'start' : 'end';
    drawing.append(svg('line', {x1: x, x2: x, y1: 26, y2: height - 8, class: 'lifeline'}),
      svg('text', {x: !narrow ? x : i === 0 ? 4 : width - 2, y: 16, class: 'end', 'text-anchor': anchor}, short(ends[i], narrow ? Math.floor(width / 16) : 60)));
  }
  drawing.append(...phase_bar(phases, scale, narrow ? 14 : 104, narrow), ...loss_bar(losses, scale, narrow ? 14 : 104));
  steps.forEach((step, i) => drawing.append(arrow_of(step, rows[i], scale.places[i], left, right, narrow)));
  if (!narrow) {
    steps.forEach((step, i) => step.at !== undefined && drawing.append(svg('text', {x: left - 10, y: scale.places[i] + 4, class: 'phase-name', 'text-anchor': 'end'}, `+ ${duration(step.at)}`)));
  }
  return drawing;
}

function phase_bar(phases, scale, x, narrow) {
  const parts = [];
  for (const {name, from, to, text} of phases) {
    const top = scale.y(from);
    const size = Math.max(scale.y(to) - top, 2);
    parts.push(svg('rect', {x, y: top, width: 12, height: size, class: `phase ${name}`}, svg('title', {}, `${name}, ${duration(to - from)}: ${text}`)));
    if (size >= 13) {
      const words = !narrow ? [`${name} ${duration(to - from)}`] : size >= 28 ? [name, duration(to - from)] : [name];
      words.forEach((word, i) => parts.push(svg('text', {x: narrow ? x + 15 : x - 6, y: top + size / 2 + 4 + (i - (words.length - 1) / 2) * 14, class: 'phase-name', 'text-anchor': narrow ? 'start' : 'end'}, word)));
    }
  }
  return parts;
}

// What went by on loss, on the right half of the bar.
function loss_bar(losses, scale, x) {
  return losses.map(([from, to]) => svg('rect', {x: x + 6, y: scale.y(from), width: 6, height: Math.max(scale.y(to) - scale.y(from), 2), class: 'phase loss'},
    svg('title', {}, `${duration(to - from)} went by on loss`)));
}

function arrow_of(step, row, y, left, right, narrow) {
  const open = () => {
    const details = row.querySelector('details');
    if (details) {
      details.open = true;
    }
    row.focus();
    row.scrollIntoView({block: 'nearest'});
  };
  const key = (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open();
    }
  };
  const frames = frame_text(step.frames);
  const spoken = [step.title, step.to && `to the ${step.to}`, frames, step.at !== undefined && `after ${duration(step.at)}`, step.detail].filter(Boolean).join(', ');
  const group = svg('g', {class: `step ${step.kind}${step.wrong ? ' bad' : ''}`, tabindex: 0, role: 'button', 'aria-label': spoken, on: {click: open, keydown: key}});
  const middle = (left + right) / 2;
  group.append(svg('rect', {x: left - 4, y: y - 24, width: right - left + 8, height: 32, class: 'hit'}));
  const text = [step.rpc && step.title.startsWith('Call ') === false ? step.rpc.xid : null, step.title, !narrow && frames, !narrow && step.detail].filter(Boolean).join(' · ');
  if (step.to) {
    const [from, whole] = step.to === 'responder' ? [left + 1, right - 2] : [right - 1, left + 2];
    const to = step.lost ? from + (whole - from) * 0.86 : whole;
    group.append(svg('line', {x1: from, x2: to, y1: y, y2: y + 4, class: 'arrow', 'marker-end': step.lost ? null : 'url(#head)'}));
    if (step.lost) {
      group.append(svg('path', {d: `M${to - 5} ${y - 1}l10 10m0 -10l-10 10`, class: 'lost-mark'}));
    }
  }
  group.append(svg('text', {x: middle, y: y - 6, 'text-anchor': 'middle', class: step.to ? 'label' : 'label remark'}, short(text, Math.floor((right - left) / 6.4))));
  if (narrow) { // there is no room beside it
    group.append(svg('text', {x: middle, y: y + 17, class: 'phase-name', 'text-anchor': 'middle'}, [frames, step.at !== undefined && `+ ${duration(step.at)}`].filter(Boolean).join(' · ')));
  }
  return group;
}

// What the lines mean that are there.
export function ladder_legend(steps) {
  const has = (test) => steps.some(test);
  const sample = (kind, lost) => svg('svg', {width: 34, height: 10, 'aria-hidden': 'true', class: `sample-line step ${kind}`}, svg('line', {x1: 1, x2: lost ? 26 : 33, y1: 5, y2: 5, class: 'arrow'}),
    lost && svg('path', {d: 'M24 1l8 8m0 -8l-8 8', class: 'lost-mark'}));
  const entries = [
    [has(({kind}) => /^(call|reply)/.test(kind)), sample('call'), 'Send: Call or Reply'],
    [has(({kind}) => kind === 'request'), sample('request'), 'RDMA Read Request'],
    [has(({kind}) => kind === 'read'), sample('read'), 'Read Response, with data'],
    [has(({kind}) => kind === 'write'), sample('write'), 'RDMA Write, with data'],
    [has(({lost}) => lost), sample('call', true), 'not accepted: lost, or something before it was'],
    [has(({kind}) => kind === 'again'), sample('again'), 'sent again'],
    [has(({kind}) => kind === 'refusal'), sample('refusal'), 'refused (NAK, or no room)'],
    [has(({kind}) => kind === 'ack'), sample('ack'), 'acknowledgment'],
    [has(({kind}) => / accepted$/.test(kind)), sample('call accepted'), 'the copy that was accepted'],
    [has(({kind, wrong}) => wrong || / bad$/.test(kind)), sample('bad'), 'at fault, or failed'],
  ];
  return el('ul', {class: 'legend lines', 'aria-label': 'What the arrows mean'}, entries.filter(([is]) => is).map(([, picture, text]) => el('li', {}, picture, ' ', text)));
}

export function short(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(most - 1, 1))}…`;
}

// Where each step, and any time between, lies: in order, never closer than `row`, and what is left over by time.
function scale_of(total, steps, row) {
  const places = [];
  const marks = [[0, 52]];
  let y = 52;
  let before = 0;
  steps.forEach((step, i) => {
    const at = Math.min(Math.max(step.order, before), total);
    y += (i === 0 ? 0 : row) + (STRETCH * (at - before)) / total;
    before = at;
    places.push(y);
    marks.push([at, y]);
  });
  const bottom = y + Math.max((STRETCH * (total - before)) / total, 8);
  marks.push([total, bottom]);
  const position = (us) => {
    if (us < 0) {
      return 34; // earlier attempts, above
    }
    let low = 0;
    while (low + 1 < marks.length && marks[low + 1][0] <= us) {
      ++low;
    }
    const high = Math.min(low + 1, marks.length - 1);
    const [[t0, y0], [t1, y1]] = [marks[low], marks[high]];
    return t1 > t0 ? y0 + ((Math.min(us, t1) - t0) / (t1 - t0)) * (y1 - y0) : y0;
  };
  return {places, bottom, y: position};
}
