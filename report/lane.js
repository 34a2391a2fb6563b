// A lane: one connection's part of the timeline. Its dots and marks, its credits, its throughput, each
// a strip of its own; `view` is the Overview, which has the window, the tip and the way to other views.
import {AXES, Chart} from './chart.js';
import {el, replace} from './dom.js';
import {limits_of} from './limits.js';
import {to_finding, to_rpc, to_window} from './links.js';
import {grouped} from './places.js';
import {credit_intervals, credit_steps, dots, latency_scale, marks, step_columns, throughput, upper} from './series.js';
import {ends_of, transport_name} from './summary.js';
import {COLOURS, colour, operation_colour} from './theme.js';
import {bytes, counted, duration, offset, whole} from './units.js';

const BAND = 16; // pixels above the dots, for marks
const LATENCY = 210; // of the strip of latencies
const SHAPES = {error: '--error', warning: '--warning', note: '--note', lost: '--lost', congested: '--congested'};
export const KINDS = {lost: 'sent again or refused', congested: 'marked by the network'};

export class Lane {
  constructor(model, conn, view) {
    this.model = model;
    this.conn = conn;
    this.view = view;
    this.list = model.of_connection(conn);
    this.marks = marks(model, conn);
    this.load = model.loads.get(conn);
    this.charts = []; // that have begun
  }

  // Precondition: `into` is in the document.
  start(into, open) {
    const connection = this.model.connections.get(this.conn);
    const {client, server, known} = ends_of(connection);
    const charts = [this.#latency_chart(), this.#credit_chart(), this.#throughput_chart()];
    const titles = ['Latency of each RPC', `Calls outstanding${this.model.paces.has(this.conn) ? ' on average' : ''}, and credits granted`, 'Throughput of RPC messages'];
    const keys = [null, key_of_credits(this.far_grant), key_of_throughput()];
    const [first, ...rest] = charts.map((chart, i) => el('figure', {}, el('figcaption', {}, titles[i], keys[i]), chart.element));
    const section = el('section', {class: 'lane', tabindex: 0, 'aria-label': `Timeline of connection ${this.conn}. Plus and minus zoom, arrows move, Home shows all. Operations and RPCs are in the tables below.`},
      el('h3', {}, `Connection ${this.conn}: ${client} ${known ? '→' : '↔'} ${server}`),
      el('p', {class: 'small muted'}, this.#facts(connection).join(' · '), ' · ', el('button', {type: 'button', class: 'plain', on: {click: () => this.view.go(to_window(this.conn, this.view.window))}}, 'ladder of what is in view')), first);
    into.append(section);
    this.#begin(charts.slice(0, 1));
    if (open) {
      section.append(...rest);
      this.#begin(charts.slice(1));
      return;
    }
    const details = el('details', {}, el('summary', {}, 'Credits and throughput'), rest);
    details.addEventListener('toggle', () => {
      if (details.open && !charts[1].plot) {
        this.#begin(charts.slice(1));
      }
    });
    section.append(details);
  }

  #begin(charts) {
    for (const chart of charts) {
      chart.start(this.view.window);
      this.charts.push(chart);
    }
  }

  #facts(connection) {
    const {load} = this;
    const granted = load && (load.granted_min === load.granted_max ? load.granted_max : `${load.granted_min} to ${load.granted_max}`);
    return [transport_name(connection?.transport), counted(this.list.length, 'RPC'),
      load?.granted_max !== undefined && `${granted} credits granted, at most ${load.in_flight_max} in use`,
      ...limits_of(connection),
      load?.at_credit_limit_us > 0 && `${duration(load.at_credit_limit_us)} at the credit limit`,
      load?.retransmitted > 0 && `${counted(load.retransmitted, 'packet')} sent again`,
      load?.cnps > 0 && counted(load.cnps, 'CNP')].filter(Boolean);
  }

  #latency_chart() {
    const lengths = this.list.map((i) => this.model.rpcs[i].length).filter((length) => length !== undefined);
    const least = lengths.reduce((a, b) => Math.min(a, b), Infinity);
    const most = lengths.reduce((a, b) => Math.max(a, b), 0);
    const scale = latency_scale(lengths, LATENCY - AXES, BAND);
    return this.#chart({
      height: LATENCY,
      label: `Latency of ${counted(lengths.length, 'RPC')}: from ${duration(least === Infinity ? 0 : least)} to ${duration(most)}`,
      y: {log: true, range: () => [scale.low, scale.top], most: scale.high, values: (value) => (Math.abs(Math.log10(value) % 1) < 1e-6 ? duration(value) : '')},
      draw: (_, context, box) => this.#draw_latency(context, box, scale),
      on_hover: (x, y, chart) => this.#hover(x, y, chart),
      on_click: (x, y, chart) => this.#click(x, y, chart),
    });
  }

  #draw_latency(context, box, {low, top}) {
    const [from, to] = this.view.window;
    const x_of = (us) => ((us - from) / (to - from)) * box.width;
    const log = Math.log(top / low);
    const y_of = (length) => (1 - Math.log(length / low) / log) * box.height; // as the axis has it
    this.dots = dots(this.model, this.list, {from, to, width: box.width, height: box.height, x_of, y_of});
    const size = this.dots.length > 4000 ? 1.5 : this.dots.length > 600 ? 2.2 : 3.2;
    for (const [place, some] of grouped(this.dots, ({op}) => Math.min(op, COLOURS - 1))) {
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
      for (const {x, y} of this.dots.filter((dot) => dot.bad === bad)) {
        context.moveTo(x + size + 2.5, y);
        context.arc(x, y, size + 2.5, 0, 2 * Math.PI);
      }
      context.stroke();
    }
    this.#draw_marks(context, box, x_of);
  }

  #draw_marks(context, box, x_of) {
    const [from, to] = this.view.window;
    context.strokeStyle = colour('--grid');
    context.lineWidth = 1;
    context.strokeRect(-1, -1, box.width + 2, BAND + 0.5);
    const last = {};
    this.shown_marks = [];
    for (const mark of this.marks) {
      if (mark.us < from || mark.us > to) {
        continue;
      }
      const x = x_of(mark.us);
      if (x - (last[mark.kind] ?? -9) < 3) {
        continue; // one a pixel or so of each kind
      }
      last[mark.kind] = x;
      this.shown_marks.push({x, mark});
      draw_mark(context, x, BAND / 2, mark.kind);
    }
  }

  #credit_chart() {
    const {load} = this;
    const paces = this.model.paces.get(this.conn);
    let steps = null; // made when they are drawn
    const made = () => (steps ??= paces ? credit_intervals(paces) : credit_steps(this.model, this.conn));
    const most = Math.max(load?.in_flight_max ?? made().outstanding.reduce((a, b) => Math.max(a, b), 0), 1);
    const granted = load?.granted_max ?? 0;
    const top = granted > 0 && granted <= most * 8 ? Math.max(granted, most) : most;
    this.far_grant = granted > top ? granted : null; // beyond the scale, said in words
    const limited = load?.at_credit_limit_us ?? 0;
    return this.#chart({
      height: 104,
      label: `Calls outstanding: at most ${most}${granted ? `, of ${granted} credits granted` : ''}; ${limited > 0 ? duration(limited) : 'never'} at the limit`,
      y: {range: () => [0, top * 1.15], values: (value) => (Number.isInteger(value) ? whole(value) : '')},
      draw: (_, context, box) => this.#draw_credits(made(), top * 1.15, context, box),
    });
  }

  #draw_credits(steps, top, context, box) {
    const [from, to] = this.view.window;
    const columns = Math.max(Math.floor(box.width), 1);
    const y_of = (value) => (1 - value / top) * box.height;
    const most = step_columns(steps.times, steps.outstanding, from, to, columns);
    context.fillStyle = colour('--area');
    for (let column = 0; column < columns; ++column) {
      const y = y_of(Math.max(most[column], 0));
      context.fillRect((column * box.width) / columns, y, box.width / columns + 0.3, box.height - y);
    }
    context.fillStyle = colour('--limit'); // over the calls that wait under it
    for (const [begin, end] of steps.limits) {
      if (end >= from && begin <= to) {
        const x = ((begin - from) / (to - from)) * box.width;
        context.fillRect(x, 0, Math.max(((end - begin) / (to - from)) * box.width, 1), box.height);
      }
    }
    if (this.far_grant !== null) {
      return;
    }
    context.strokeStyle = colour('--granted');
    context.lineWidth = 1.5;
    context.beginPath();
    let i = Math.max(upper(steps.times, from) - 1, 0);
    let drawn = false;
    let last_x = -1;
    for (; i < steps.times.length && steps.times[i] <= to; ++i) {
      const x = Math.max(((steps.times[i] - from) / (to - from)) * box.width, 0);
      if (steps.granted[i] === undefined || (x - last_x < 0.5 && steps.granted[i] === steps.granted[i - 1])) {
        continue;
      }
      last_x = x;
      const y = y_of(steps.granted[i]);
      if (drawn) {
        context.lineTo(x, y_of(steps.granted[i - 1] ?? steps.granted[i]));
        context.lineTo(x, y);
      } else {
        context.moveTo(x, y);
      }
      drawn = true;
    }
    if (drawn) {
      context.lineTo(box.width, y_of(steps.granted[i - 1]));
    }
    context.stroke();
  }

  #throughput_chart() {
    let rates = null;
    let top = 1;
    let made_for = null;
    const prepare = (columns) => {
      if (made_for !== this.view.window) {
        rates = throughput(this.model, this.conn, this.view.window[0], this.view.window[1], columns);
        top = Math.max(rates.to_client.reduce((a, b) => Math.max(a, b), 0), rates.to_server.reduce((a, b) => Math.max(a, b), 0), 1) * 1.1;
        made_for = this.view.window;
      }
    };
    const columns_of = (width) => Math.max(Math.floor(width / 5), 1);
    const chart = this.#chart({
      height: 104,
      label: 'Bytes of RPC messages each second, to the client and to the server',
      y: {
        range: () => {
          prepare(columns_of(chart.element.clientWidth - 92));
          return [0, top];
        },
        splits: () => byte_splits(top),
        values: (value) => (value === 0 ? '0' : `${bytes(value)}/s`),
      },
      draw: (_, context, box) => {
        prepare(columns_of(box.width));
        const bar = (values, style, place) => {
          context.fillStyle = colour(style);
          const width = box.width / values.length;
          for (let i = 0; i < values.length; ++i) {
            const height = (values[i] / top) * box.height;
            if (height > 0) {
              context.fillRect(i * width + place * width * 0.5, box.height - Math.max(height, 1), Math.max(width * 0.5 - 0.4, 0.8), Math.max(height, 1));
            }
          }
        };
        bar(rates.to_client, '--to-client', 0);
        bar(rates.to_server, '--to-server', 1);
      },
    });
    return chart;
  }

  // The mark or the dot that is nearest to a point of the strip.
  #nearest(x, y) {
    let best = null;
    let least = 100;
    const consider = (at_x, at_y, what) => {
      const distance = (at_x - x) ** 2 + (at_y - y) ** 2;
      if (distance < least) {
        least = distance;
        best = what;
      }
    };
    for (const dot of this.dots ?? []) {
      consider(dot.x, dot.y, {rpc: this.model.rpcs[dot.index]});
    }
    for (const {x: at, mark} of this.shown_marks ?? []) {
      consider(at, BAND / 2, {mark});
    }
    return best;
  }

  #hover(x, y, chart) {
    const found = x < 0 ? null : this.#nearest(x, y);
    this.view.tip.hidden = !found;
    chart.element.classList.toggle('pointing', Boolean(found));
    if (!found) {
      return;
    }
    replace(this.view.tip, found.rpc ? rpc_tip(found.rpc) : mark_tip(found.mark));
    const box = chart.plot.over.getBoundingClientRect();
    const home = this.view.element.getBoundingClientRect();
    const width = this.view.tip.offsetWidth;
    const left = box.left - home.left + x + 14;
    this.view.tip.style.left = `${Math.max(Math.min(left, home.width - width - 4), 4)}px`;
    this.view.tip.style.top = `${box.top - home.top + y + 14}px`;
  }
  #click(x, y) {
    const found = this.#nearest(x, y);
    if (found?.rpc) {
      this.view.go(to_rpc(found.rpc, this.model));
    } else if (found?.mark.finding) {
      this.view.go(to_finding(found.mark.finding.record));
    } else if (found?.mark) { // closer, until what it counts can be told apart
      const around = Math.max((this.view.window[1] - this.view.window[0]) / 10, found.mark.width * 2, 10);
      this.view.zoom([found.mark.us - around / 2, found.mark.us + around / 2]);
    }
  }

  #chart(options) {
    return new Chart({...options, on_brush: (window) => this.view.zoom(window)});
  }
}

function key_of_credits(far_grant) {
  return el('span', {class: 'key'}, el('span', {class: 'sample area'}), 'outstanding',
    far_grant === null && [el('span', {class: 'sample line'}), 'granted'], el('span', {class: 'sample limit'}), 'at the limit',
    far_grant !== null && ` (${whole(far_grant)} credits granted, far beyond this scale)`);
}

// Two or so round numbers of bytes up to `top`.
function byte_splits(top) {
  const unit = 1024 ** Math.max(Math.floor(Math.log(top) / Math.log(1024)), 0);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].map((digits) => digits * unit).find((one) => top / one <= 3) ?? 512 * unit;
  return Array.from({length: Math.floor(top / step) + 1}, (_, i) => i * step);
}

function key_of_throughput() {
  return el('span', {class: 'key'}, el('span', {class: 'sample to-client'}), 'to the client', el('span', {class: 'sample to-server'}), 'to the server');
}

function draw_mark(context, x, y, kind) {
  context.fillStyle = colour(SHAPES[kind]);
  context.beginPath();
  if (kind === 'lost') { // a triangle, point down
    context.moveTo(x - 4, y - 4);
    context.lineTo(x + 4, y - 4);
    context.lineTo(x, y + 4);
  } else if (kind === 'congested') {
    context.rect(x - 3, y - 3, 6, 6);
  } else { // a diamond
    context.moveTo(x, y - 6);
    context.lineTo(x + 5, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 5, y);
  }
  context.fill();
}

function rpc_tip(rpc) {
  const {record} = rpc;
  const rows = [`${duration(rpc.length)} · ${rpc.xid} · frame ${rpc.frame}`, `at ${offset(rpc.us)} s, mostly on ${waited(record)}`];
  if (rpc.failure) {
    rows.push(`failed: ${rpc.failure}`);
  }
  if (rpc.findings) {
    rows.push(rpc.findings.map((finding) => finding.record.rule).slice(0, 4).join(', '));
  }
  return [el('strong', {}, rpc.name), rows.map((row) => el('div', {}, row)), el('div', {class: 'muted'}, 'Click: its ladder. Drag: zoom.')];
}

export function waited(record) {
  return {responder: 'the server’s side of the tap', requester: 'the client’s side', network: 'lost packets', data: 'moving data'}[record.waited_on] ?? 'what the capture does not show';
}

function mark_tip(mark) {
  return mark.finding ? [el('strong', {}, `${mark.finding.record.rule}, frame ${mark.finding.record.frame}`), el('div', {}, mark.finding.record.message)]
    : [el('strong', {}, KINDS[mark.kind]), el('div', {}, mark.text)];
}
