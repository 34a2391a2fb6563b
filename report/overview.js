// The overview: time from left to right, a lane a connection. A bar is an RPC, from its Call to its Reply,
// coloured by operation; above the bars what was found, lost or marked; below, how long RPCs took, Calls
// outstanding against the credits that were granted, and throughput. A brush zooms all of it.
import {worst_first} from './connections.js';
import {el, when_drawn} from './dom.js';
import {Lane} from './lane.js';
import {to_view} from './links.js';
import {badness} from './series.js';
import {COLOURS, on_theme_change} from './theme.js';
import {KINDS} from './tips.js';
import {counted, duration, offset, percent, percentile, whole} from './units.js';

const MOST_LANES = 6; // at first
const LEAST_WINDOW = 2; // microseconds

export class Overview {
  constructor(model, {go, on_window}) {
    this.model = model;
    this.go = go;
    this.on_window = on_window;
    this.whole = [-model.end * 0.01, Math.max(model.end * 1.01, 10)];
    this.window = this.whole;
    this.lanes = [];
    this.strips = el('div', {class: 'lanes'});
    this.tip = el('div', {class: 'tip', hidden: true});
    this.status = el('p', {class: 'status', role: 'status'});
    this.shown = 0;
    const worst = worst_first(model);
    this.order = worst.length <= MOST_LANES ? worst.sort((a, b) => a - b) : worst;
    this.element = el('div', {class: 'overview', on: {keydown: (event) => this.#key(event)}}, this.#controls(), this.#legend(), this.strips, this.#more_button(), this.tip);
  }

  // Precondition: the element is in the document.
  start() {
    this.#more();
    on_theme_change(() => this.#all((chart) => chart.redraw()));
    const fit = () => this.#all((chart) => chart.fit());
    addEventListener('resize', when_drawn(fit));
    addEventListener('beforeprint', fit);
    this.#report();
  }

  // Zooms; null: to all of it.
  zoom(window) {
    let [from, to] = window ?? this.whole;
    if (to - from < LEAST_WINDOW) {
      const middle = (from + to) / 2;
      [from, to] = [middle - LEAST_WINDOW / 2, middle + LEAST_WINDOW / 2];
    }
    this.window = [Math.max(from, this.whole[0]), Math.min(to, this.whole[1])];
    if (this.window[1] - this.window[0] < LEAST_WINDOW / 2) {
      this.window = this.whole;
    }
    this.#all((chart) => chart.show(this.window));
    this.#report();
    this.on_window(this.shown_window);
  }
  // Of all of it: null.
  get shown_window() {
    return this.zoomed ? this.window : null;
  }
  get zoomed() {
    return this.window[0] > this.whole[0] || this.window[1] < this.whole[1];
  }

  // The lane of a connection, which is put into the document where it is not there yet; null: it has none.
  lane_of(conn) {
    if (!this.order.includes(conn)) {
      return null;
    }
    if (!this.order.slice(0, this.shown).includes(conn)) {
      this.order = [...this.order.slice(0, this.shown), conn, ...this.order.slice(this.shown).filter((one) => one !== conn)];
      this.#more(1);
    }
    return this.lanes.find((lane) => lane.conn === conn).element;
  }

  #controls() {
    const button = (text, label, action) => el('button', {type: 'button', 'aria-label': label, on: {click: action}}, text);
    const field = (label) => el('input', {type: 'number', step: 'any', 'aria-label': label, on: {change: () => this.#typed()}});
    this.from = field('From, seconds since the first frame');
    this.to = field('To, seconds since the first frame');
    return el('div', {class: 'controls'},
      button('Zoom in', 'Zoom in on the timeline', () => this.#scale(0.5)), button('Zoom out', 'Zoom out of the timeline', () => this.#scale(2)),
      button('←', 'Earlier', () => this.#move(-0.5)), button('→', 'Later', () => this.#move(0.5)),
      button('Whole capture', 'Show the whole capture', () => this.zoom(null)),
      el('span', {class: 'fields'}, el('span', {}, 'from '), this.from, el('span', {}, ' to '), this.to, el('span', {}, ' s')), this.status);
  }

  #typed() {
    const window = [Number(this.from.value) * 1e6, Number(this.to.value) * 1e6];
    if (window[1] > window[0]) {
      this.zoom(window);
    }
  }
  #scale(factor) {
    const [from, to] = this.window;
    const middle = (from + to) / 2;
    this.zoom([middle - ((to - from) * factor) / 2, middle + ((to - from) * factor) / 2]);
  }
  #move(share) {
    const [from, to] = this.window;
    const by = Math.min(Math.max((to - from) * share, this.whole[0] - from), this.whole[1] - to);
    this.zoom([from + by, to + by]);
  }
  #key(event) {
    const actions = {'+': () => this.#scale(0.5), '=': () => this.#scale(0.5), '-': () => this.#scale(2), ArrowLeft: () => this.#move(-0.2),
      ArrowRight: () => this.#move(0.2), Home: () => this.zoom(null), Escape: () => this.zoom(null)};
    if (event.target.classList.contains('lane') && actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  #legend() {
    const {ops} = this.model;
    const sample = (style, props) => el('span', {class: `sample ${style}`, 'aria-hidden': 'true', ...props});
    const entry = (name, place) => el('li', {}, sample(`op-${Math.min(place, COLOURS - 1)}`), name);
    const named = ops.slice(0, COLOURS - 1);
    return el('ul', {class: 'legend', 'aria-label': 'What colours and marks mean'}, named.map(entry),
      ops.length === COLOURS && entry(ops[COLOURS - 1], COLOURS - 1),
      ops.length > COLOURS && entry(`${counted(ops.length - named.length, 'other operation')}`, COLOURS - 1),
      this.model.rpcs.some((rpc) => rpc.record.recovery_us > 0) && el('li', {}, sample('bar lost'), this.model.rpcs.every((rpc) => rpc.refused || !(rpc.record.recovery_us > 0)) ? 'went by until there was a receive buffer' : 'went by on loss'),
      this.model.rpcs.some((rpc) => rpc.waits) && el('li', {}, sample('bar waiting'), 'waiting: no Reply arrived'),
      this.model.rpcs.some((rpc) => badness(rpc) === 1) && el('li', {}, sample('ring failed'), 'answered with an error'),
      this.model.rpcs.some((rpc) => badness(rpc) === 2) && el('li', {}, sample('ring found'), 'with an error or a warning'),
      ['error', 'warning', 'note'].filter((kind) => this.model.findings.some(({record}) => record.severity === kind))
        .map((kind) => el('li', {}, sample(`mark ${kind}`), `finding: ${kind}`)),
      this.#noise('retransmitted', 'naks', 'rnr_naks', 'zero_windows') && el('li', {}, sample('mark lost'), KINDS.lost),
      this.#noise('cnps', 'ecn_ce', 'pauses') && el('li', {}, sample('mark congested'), KINDS.congested));
  }
  #noise(...keys) {
    return [...this.model.loads.values()].some((load) => keys.some((key) => load[key] > 0));
  }

  #more_button() {
    this.more = el('button', {type: 'button', on: {click: () => this.#more()}}, '');
    return this.more;
  }
  #more(count = MOST_LANES) {
    const next = this.order.slice(this.shown, this.shown + count);
    this.shown += next.length;
    for (const conn of next) {
      const lane = new Lane(this.model, conn, this);
      lane.start(this.strips, this.order.length <= 3);
      this.lanes.push(lane);
    }
    const rest = this.order.length - this.shown;
    this.more.textContent = `Show ${counted(Math.min(rest, MOST_LANES), 'more connection')} of ${whole(rest)}`;
    this.more.hidden = rest === 0;
  }

  #all(action) {
    for (const lane of this.lanes) {
      lane.charts.forEach(action);
    }
  }

  #report() {
    const [from, to] = this.window;
    const step = (to - from) / 100;
    this.from.value = offset(Math.max(from, 0), step);
    this.to.value = offset(Math.min(to, this.model.end), step);
    let count = 0;
    let before = 0;
    const bad = {failed: 0, unanswered: 0, found: 0};
    const lengths = [];
    for (const rpc of this.model.under_way(from, to)) {
      ++count;
      before += rpc.us < from ? 1 : 0;
      bad.failed += rpc.failure !== null && !rpc.next ? 1 : 0;
      bad.unanswered += rpc.unanswered ? 1 : 0;
      bad.found += rpc.findings?.some(({record}) => record.severity !== 'note') ? 1 : 0;
      if (rpc.length !== undefined) {
        lengths.push(rpc.length);
      }
    }
    const sorted = Float64Array.from(lengths).sort();
    const times = sorted.length ? `, median ${duration(percentile(sorted, 0.5))}, longest ${duration(sorted[sorted.length - 1])}` : '';
    const words = [before > 0 && `${whole(before)} of them sent before`, bad.failed > 0 && `${whole(bad.failed)} (${percent(bad.failed, count)}) answered with an error`, bad.unanswered > 0 && `${whole(bad.unanswered)} unanswered`,
      bad.found > 0 && `${whole(bad.found)} with a finding beyond a note`].filter(Boolean);
    this.status.textContent = `${counted(count, 'RPC')} in view${times}${words.length > 0 ? `; ${words.join(', ')}` : ''}`;
    this.fragment = to_view('time', this.shown_window);
  }
}
