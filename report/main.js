// The page: reads the records that stand in it, builds the views, follows links.
import {against_view} from './against.js';
import {copy} from './carry.js';
import {connections_view} from './connections.js';
import {el, replace, when_drawn} from './dom.js';
import {place_of} from './frames.js';
import {Ladder} from './ladder.js';
import {read, to_filter, to_finding, to_rpc} from './links.js';
import {captures_of, Model, records_of} from './model.js';
import {operations_view} from './operations.js';
import {Overview} from './overview.js';
import {summary_view, title_of} from './summary.js';
import {list_of_terms} from './terms.js';
import {start_theme} from './theme.js';
import {offset, printable} from './units.js';
import {coverage_view, findings_view, reveal_finding} from './verdict.js';

const $ = (id) => document.getElementById(id);

const AT_ONCE_MS = 400; // between two zooms that one step back undoes together, at most

class Page {
  zoomed_at = -Infinity;
  arriving = false; // at an address of its own

  // `other`: of the capture that it was set against, if any.
  constructor(model, other) {
    this.model = model;
    document.title = `${title_of(model) || 'Report'} – Steertag`;
    replace($('summary-body'), summary_view(model));
    if (other) {
      replace($('against-body'), against_view(model, other));
    } else {
      $('against').remove();
      document.querySelector('nav a[href="#view=against"]').remove();
    }
    replace($('findings-body'), findings_view(model));
    replace($('connections-body'), connections_view(model));
    replace($('coverage-body'), coverage_view(model));
    replace($('terms'), list_of_terms());
    $('maker').textContent = ['Steertag', model.stream.version].filter(Boolean).map(printable).join(' ');
    this.operations = operations_view(model, {on_asked: (filter) => history.replaceState({window: this.overview.shown_window}, '', `#${to_filter(filter, this.overview.shown_window)}`)});
    replace($('operations-body'), this.operations.element);
    this.ladder = new Ladder(model, {go});
    replace($('rpc-body'), this.ladder.element);
    this.overview = new Overview(model, {go, on_window: (window) => this.#windowed(window)});
    replace($('time-body'), this.overview.element);
  }

  // Precondition: the views are in the document.
  start() {
    mark_view();
    this.overview.start();
    this.ladder.show(this.ladder.first());
    addEventListener('hashchange', () => this.#arrived());
    if (location.hash.length > 1) {
      this.follow(location.hash);
    }
    keep_window(this.overview.shown_window);
  }

  // At an address, be it new or one that the browser went back to: there the timeline is as it was.
  #arrived() {
    say('');
    const before = window_kept();
    if (before === undefined) {
      this.follow(location.hash);
      keep_window(this.overview.shown_window);
      return;
    }
    this.arriving = true;
    if (String(before) !== String(this.overview.shown_window)) {
      this.overview.zoom(before);
    }
    this.arriving = false;
    if (!/^#?$|^#view=time/.test(location.hash)) {
      this.follow(location.hash);
    }
  }

  follow(hash) {
    const asked = read(hash);
    say('');
    if (asked?.rpc) {
      this.#show_rpc(this.model.find(asked.rpc.conn, asked.rpc.xid, asked.rpc.frame), `This page has no RPC ${asked.rpc.xid} on connection ${asked.rpc.conn}.`);
    } else if (asked?.frame !== undefined) {
      const place = place_of(this.model, asked.frame);
      place.rpc ? this.ladder.show(place.rpc, asked.frame) : this.ladder.show_frame(place);
      bring($('rpc'));
    } else if (asked?.finding) {
      this.#show_finding(asked.finding);
    } else if (asked?.view && $(asked.view) && this.#amiss(asked) !== '') {
      say(this.#amiss(asked));
    } else if (asked?.view === 'rpc' && asked.window && asked.conn !== null) {
      this.ladder.show_window(asked.conn, asked.window);
      bring($('rpc'));
    } else if (asked?.view && $(asked.view)) {
      if (asked.window) {
        this.arriving = true;
        this.overview.zoom(asked.window);
        this.arriving = false;
      }
      if (asked.filter) {
        this.operations.rpcs.ask(asked.filter);
      }
      bring((asked.view === 'time' && this.overview.lane_of(asked.conn)) || $(asked.view));
    } else if (!/^#?$/.test(hash) && !document.getElementById(hash.slice(1))) {
      say(`This link leads nowhere: this page has nothing that is called ${printable(hash.slice(0, 80))}.`);
    }
  }

  // Why a link to a view leads to nothing; '' where it does.
  #amiss({view, window, wrong, conn}) {
    if (wrong !== undefined) {
      return `This link names no stretch of time: ${printable(wrong.slice(0, 40))}. One is like 0.5-1.25, in seconds.`;
    }
    if (window && window[0] > Math.max(this.model.end, 0)) {
      return `This link leads to ${offset(window[0])} s, and the capture ends at ${offset(this.model.end)} s.`;
    }
    const known = conn === null || this.model.connections.has(conn);
    return known || (view !== 'time' && view !== 'rpc') ? '' : `This page has no connection ${conn}.`;
  }

  #show_rpc(rpc, otherwise) {
    if (!rpc) {
      say(otherwise);
      return;
    }
    this.ladder.show(rpc);
    bring($('rpc'));
  }

  #show_finding(asked) {
    const found = [...this.model.findings, ...this.model.known].find(({record}) => record.rule === asked.rule && record.frame === asked.frame && (asked.conn === undefined || record.conn === asked.conn));
    const element = found && reveal_finding(found.record);
    if (!element) {
      say(`This page has no finding of ${asked.rule} in frame ${asked.frame}.`);
      return;
    }
    document.querySelectorAll('.finding.here').forEach((one) => one.classList.remove('here'));
    element.classList.add('here');
    bring(element);
  }

  // The address follows the timeline, and the browser's Back undoes a zoom; those that follow at once are one.
  #windowed(window) {
    this.operations.rpcs.within(window);
    if (this.arriving) {
      return;
    }
    const now = performance.now();
    const once = now - this.zoomed_at < AT_ONCE_MS || String(window) === String(window_kept());
    this.zoomed_at = now;
    history[once ? 'replaceState' : 'pushState']({window}, '', `#${to_filter(this.operations.rpcs.asked, window, 'time')}`);
  }
}

// The window of the timeline at an address of the history: null, all of it; undefined: the address is new.
function window_kept() {
  return history.state?.window;
}

function keep_window(window) {
  history.replaceState({window}, '');
}

// Which view is read is marked where it is linked.
function mark_view() {
  const links = [...document.querySelectorAll('nav a')];
  const sections = [...document.querySelectorAll('main > section')];
  const mark = () => {
    const line = innerHeight / 3;
    const here = sections.findLast((section) => section.getBoundingClientRect().top <= line) ?? sections[0];
    for (const one of links) {
      one.getAttribute('href') === `#view=${here.id}` ? one.setAttribute('aria-current', 'true') : one.removeAttribute('aria-current');
    }
  };
  const soon = when_drawn(mark);
  addEventListener('scroll', soon, {passive: true});
  soon();
}

function go(fragment) {
  location.hash === `#${fragment}` ? page.follow(location.hash) : (location.hash = fragment);
}

function bring(element) {
  const heading = element.querySelector('h1, h2') ?? element;
  heading.setAttribute('tabindex', '-1');
  heading.focus({preventScroll: true});
  element.scrollIntoView({block: 'start'});
}

function say(text) {
  $('message').textContent = text;
  $('message').hidden = text === '';
}

// The address follows what was asked for last; it is said where it went.
async function copy_link() {
  say(await copy(location.href) ? `Copied: ${location.hash === '' ? 'the address of this page' : location.hash}` : `This browser does not let the page copy. The address is ${location.href}`);
}

let page = null;

function from_base64(text) {
  if (Uint8Array.fromBase64) { // Chromium 140, Firefox 133
    return Uint8Array.fromBase64(text);
  }
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) {
    bytes[i] = characters.charCodeAt(i);
  }
  return bytes;
}

// The records: gzip in base64, as the command has put them there. They are read as they are unpacked: all of
// their text together is dear.
async function unpacked(element, bad) {
  const bytes = from_base64(element.textContent);
  element.textContent = ''; // its memory is free
  const stream = new DecompressionStream('gzip');
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {}); // the reader hears of it, too
  const records = [];
  const decoder = new TextDecoder();
  const reader = stream.readable.getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const text = rest + decoder.decode(part.value, {stream: true});
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    records.push(...records_of(text.slice(0, end), bad));
  }
  records.push(...records_of(rest, bad));
  return records;
}

async function start() {
  const bad = {lines: 0};
  const [model, other] = captures_of(await unpacked($('records'), bad)).map((records) => new Model(records));
  page = new Page(model, other);
  start_theme($('theme'));
  $('copy').addEventListener('click', copy_link);
  page.start();
  $('loading').hidden = true;
  if (bad.lines > 0) {
    say(`${bad.lines} lines of this page are no records: it was cut, or changed.`);
  } else if (model.stream.format !== undefined && model.stream.format !== 1) {
    say('These records are of a later format than this page knows.');
  }
  document.body.dataset.ready = 'true';
}

function failed(error) {
  $('loading').hidden = true;
  say(page ? `This page failed: ${error}` : `The records of this page cannot be read: it was cut, or changed, or the browser is older than 2023. (${error})`);
}

addEventListener('error', (event) => failed(event.message));
start().catch(failed);
