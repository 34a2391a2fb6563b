// Chart: one strip of the timeline, on uPlot, which has the axes, the cursor and the brush; what is
// in between is drawn by whoever asks for the strip. All strips share one window of time.
/* global uPlot */
import {el} from './dom.js';
import {colour} from './theme.js';
import {offset} from './units.js';

const TOP = 8; // pixels above the strip,
const BELOW = 26; // of the axis of time,
export const AXES = TOP + BELOW; // of a chart beside the strip itself

const STEPS = [];
for (let exponent = -1; exponent <= 12; ++exponent) {
  STEPS.push(...[1, 2, 5].map((digit) => digit * 10 ** exponent));
}

function decades(from, to) {
  const found = [];
  for (let value = 10 ** Math.ceil(Math.log10(from) - 1e-9); value <= to * 1.0001; value *= 10) {
    found.push(value);
  }
  return found;
}

export class Chart {
  // {height, label, y: {log, range(), most, values(v)}, draw(chart, context, box), on_brush, on_hover, on_click}; a wheel
  // with Control zooms around the pointer
  constructor(options) {
    this.options = options;
    this.element = el('div', {class: 'chart', role: 'img', 'aria-label': options.label});
    this.window = [0, 1];
  }

  // Precondition: the element is in the document.
  start(window) {
    this.window = window;
    const {y, height} = this.options;
    const axis = () => ({
      stroke: () => colour('--muted'),
      grid: {stroke: () => colour('--grid'), width: 1},
      ticks: {stroke: () => colour('--grid'), width: 1, size: 4},
      font: '11px system-ui, sans-serif',
    });
    this.plot = new uPlot({
      width: this.#width(),
      height,
      padding: [TOP, 26, 0, 0],
      legend: {show: false},
      scales: {
        x: {time: false, range: () => this.window},
        y: {distr: y.log ? 3 : 1, range: () => y.range()},
      },
      axes: [
        {...axis(), size: BELOW, incrs: STEPS, space: 90, values: (_, splits, __, ___, step) => splits.map((us) => `${offset(us, step)} s`)},
        {...axis(), size: 66, space: y.log ? 22 : 24, splits: y.log ? () => decades(y.range()[0], y.most) : y.splits, values: (_, splits) => splits.map((value) => (value === null ? '' : y.values(value)))},
      ],
      series: [{}, {paths: () => null, points: {show: false}}],
      cursor: {
        y: false,
        points: {show: false},
        drag: {x: true, y: false, setScale: false, dist: 4},
        bind: {dblclick: () => () => this.options.on_brush(null)},
      },
      hooks: {
        draw: [() => this.#draw()],
        setSelect: [(plot) => this.#brushed(plot)],
        setCursor: [(plot) => this.options.on_hover?.(plot.cursor.left, plot.cursor.top, this)],
      },
    }, [[0, 1], [1, 1]], this.element);
    this.plot.over.addEventListener('wheel', (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        const [from, to] = this.window;
        const at = this.plot.posToVal(event.offsetX, 'x');
        const factor = 2 ** (Math.sign(event.deltaY) / 2);
        this.options.on_brush([at - (at - from) * factor, at + (to - at) * factor]);
      }
    }, {passive: false});
    // uPlot keeps the click at the end of a drag to itself.
    this.plot.over.addEventListener('click', (event) => this.options.on_click?.(event.offsetX, event.offsetY, this));
  }

  show(window) {
    this.window = window;
    this.plot.setScale('x', {min: window[0], max: window[1]});
  }
  redraw() {
    this.plot.redraw(true, true);
  }
  fit() {
    this.plot.setSize({width: this.#width(), height: this.options.height});
  }

  #width() {
    return Math.max(this.element.clientWidth, 240);
  }
  #draw() {
    const {ctx: context, bbox} = this.plot;
    context.save();
    context.beginPath();
    context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    context.clip();
    context.translate(bbox.left, bbox.top);
    const ratio = devicePixelRatio || 1;
    context.scale(ratio, ratio);
    this.options.draw(this, context, {width: bbox.width / ratio, height: bbox.height / ratio});
    context.restore();
  }
  #brushed(plot) {
    const {left, width} = plot.select;
    if (width < 4) {
      return;
    }
    const window = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    plot.setSelect({left: 0, width: 0, top: 0, height: 0}, false);
    this.options.on_brush(window);
  }
}
