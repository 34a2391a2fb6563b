// A lane: one connection's part of the timeline: bars of its RPCs, and their latency, credits and throughput, each
// a strip of its own; `view` is the Overview, which has the window, the tip and the way to other views.
import {bar_strip} from './bar_strip.js';
import {credit_strip} from './credit_strip.js';
import {el} from './dom.js';
import {latency_strip} from './latency_strip.js';
import {limits_of} from './limits.js';
import {to_window} from './links.js';
import {losses_of} from './loss_table.js';
import {ends_of} from './model.js';
import {went_wrong} from './sequence.js';
import {sequence_strips} from './sequence_strip.js';
import {transport_name} from './summary.js';
import {explained} from './terms.js';
import {throughput_strip} from './throughput_strip.js';
import {counted, duration} from './units.js';

function figure({chart, title, key}) {
  return el('figure', {}, el('figcaption', {}, explained(title), key), chart.element);
}

export class Lane {
  constructor(model, conn, view) {
    this.model = model;
    this.conn = conn;
    this.view = view;
    this.charts = []; // that have begun
  }

  // Precondition: `into` is in the document.
  start(into, open) {
    const connection = this.model.connections.get(this.conn);
    const {client, server, known} = ends_of(connection);
    const strips = [bar_strip, latency_strip, credit_strip, throughput_strip].map((make) => make(this.model, this.conn, this.view));
    const charts = strips.map(({chart}) => chart);
    const [first, ...rest] = strips.map(figure);
    this.element = el('section', {class: 'lane', tabindex: 0, 'aria-label': `Timeline of connection ${this.conn}. Plus and minus zoom, arrows move, Home shows all. Operations and RPCs are in the tables below.`},
      el('h3', {}, `Connection ${this.conn}: ${client} ${known ? '→' : '↔'} ${server}`),
      el('p', {class: 'small muted'}, explained(this.#facts(connection).join(' · ')), ' · ', el('button', {type: 'button', class: 'plain', on: {click: () => this.view.go(to_window(this.conn, this.view.window))}}, 'ladder of what is in view')), first);
    into.append(this.element);
    this.#begin(charts.slice(0, 1));
    this.#strips(rest, charts.slice(1), open);
    this.#sequences(open);
  }

  #strips(rest, charts, open) {
    if (open) {
      this.element.append(...rest);
      this.#begin(charts);
      return;
    }
    const details = el('details', {}, el('summary', {}, 'Latency, credits and throughput'), rest);
    details.addEventListener('toggle', () => {
      if (details.open && !charts[0].plot) {
        this.#begin(charts);
      }
    });
    this.element.append(details);
  }

  // What was sent and acknowledged, number by number; what was lost stands in a table, too.
  #sequences(open) {
    const strips = sequence_strips(this.model, this.conn, this.view);
    const losses = losses_of(this.model, this.conn);
    if (strips.length === 0 && !losses) {
      return;
    }
    const wrong = (this.model.sequences.get(this.conn) ?? []).some((sequence) => went_wrong(sequence).length > 0);
    const details = el('details', {class: 'sequences'}, el('summary', {}, `Sequence numbers: ${losses ? losses.words : wrong ? 'some was sent again or refused' : 'nothing was lost or sent again'}`), strips.map(figure), losses?.element);
    const charts = strips.map(({chart}) => chart);
    const begin = () => {
      if (details.open && charts.length > 0 && !charts[0].plot) {
        this.#begin(charts);
      }
    };
    details.addEventListener('toggle', begin);
    details.open = open && wrong;
    this.element.append(details);
    begin();
  }

  #begin(charts) {
    for (const chart of charts) {
      chart.start(this.view.window);
      this.charts.push(chart);
    }
  }

  #facts(connection) {
    const load = this.model.loads.get(this.conn);
    const granted = load && (load.granted_min === load.granted_max ? load.granted_max : `${load.granted_min} to ${load.granted_max}`);
    return [transport_name(connection?.transport), counted(this.model.of_connection(this.conn).length, 'RPC'),
      load?.granted_max !== undefined && `${granted} credits granted, at most ${load.in_flight_max} in use`,
      ...limits_of(connection),
      load?.at_credit_limit_us > 0 && `${duration(load.at_credit_limit_us)} at the credit limit`,
      load?.retransmitted > 0 && `${counted(load.retransmitted, 'packet')} sent again`,
      load?.cnps > 0 && counted(load.cnps, 'CNP')].filter(Boolean);
  }
}
