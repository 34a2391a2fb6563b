// Incidents: what happened, each told once. How a card tells of one, which notes say nothing more than one that is
// told, and what notes and incidents mean, for whom they are new. Pure functions of the model.
import {to_frame, to_view} from './links.js';
import {clock, duration, file_name, known, listed} from './units.js';

// What a note means; the others say it themselves.
const MEANING = {
  loss: 'Packets did not arrive, or arrived damaged, and were sent again; meanwhile the RPC stood still. Where the last packet of a message is lost, no NAK follows, and its sender waits for a timeout. On RoCE that is the timeout of its queue pair, on iWARP that of TCP. Likely causes are full buffers, flow control that is not set up alike everywhere (PFC, ECN), a bad cable or port. The counters of NICs and switches tell which',
  credits: 'A server grants credits, and a client may have as many Calls outstanding. With all in use the next Call waits at the client',
  server: 'From the Call to the first data or the Reply, the time went by on the server’s side: its disk, its CPU, or what it waits for',
  client: 'The server asked for data, and the client was slow to send it',
  data: 'Most of the time went to moving data: its size, and the speed of the link',
  distance: 'Much of the time is the way to the server and back',
  not_ready: 'The receiver had no buffer posted for what came, and the sender had to wait and try again',
  outlier: 'One RPC took far longer than others like it',
  outage: 'For that time nothing of what was sent arrived',
  unanswered: 'Calls for which the capture shows no Reply',
};
// Of an incident that no note tells.
const MEANS = {loss: 'loss', receiver_not_ready: 'not_ready', credits: 'credits', slow_server: 'server', slow_client: 'client', congestion: 'congestion'};

export function meaning_of(kind, conn, model) {
  return kind === 'congestion' ? congestion(model.loads.get(conn) ?? {}) : known(MEANING, kind);
}

// What of it was seen: marks, CNPs, pause frames.
function congestion({ecn_ce, cnps, pauses}) {
  const seen = [ecn_ce > 0 && 'switches marked packets as congested (ECN)', cnps > 0 && 'CNPs told the sender to slow down',
    pauses > 0 && 'pause frames told a device to stop sending for a time'].filter(Boolean);
  const text = listed(seen);
  return text === '' ? undefined : text[0].toUpperCase() + text.slice(1);
}

// "connection lost"
export function kind_text(incident) {
  return String(incident.kind ?? '').replaceAll('_', ' ');
}

// Notes that no incident tells.
export function untold_notes(model) {
  return model.notes.filter((note) => !model.incidents.some((incident) => tells(incident, note, model)));
}

function says_so(incident, note) {
  return String(incident.text).toLowerCase().startsWith(String(note.message).toLowerCase());
}

function tells(incident, note, model) {
  const hit = (conn) => (incident.conns ?? []).includes(conn);
  if (says_so(incident, note)) {
    return true;
  }
  if (incident.kind === 'hang') {
    return note.kind === 'unanswered' && hit(note.conn) && all_told(model);
  }
  if (incident.kind !== 'connection_lost') {
    return false;
  }
  switch (note.kind) {
    case 'outage':
      return hit(note.conn);
    case 'unanswered':
      return hit(note.conn) && all_told(model);
    case 'reconnect': { // that connection may be told, and the one before it not
      const conn = note.frame === undefined ? undefined : model.with_frame(note.frame)?.record.retry_of?.conn;
      return conn !== undefined && hit(conn);
    }
    case 'retries': {
      const last = model.rpcs.filter((rpc) => rpc.repeats !== '' && !rpc.next);
      return last.length > 0 && last.every(({record}) => hit(record.retry_of.conn));
    }
    default:
      return false;
  }
}

// Whether every Call without a Reply is on a connection that hangs or was lost, as an incident says.
function all_told(model) {
  const conns = new Set(model.incidents.filter(({kind}) => kind === 'hang' || kind === 'connection_lost').flatMap((incident) => incident.conns ?? []));
  return model.rpcs.every((rpc) => !rpc.unanswered || conns.has(rpc.conn));
}

// {text, sure, why, where, fragment, also}: `where`: the words of a link; `also`: of another, {text, fragment}.
export function card_of(incident, model) {
  const note = model.notes.find((one) => says_so(incident, one));
  const conn = (incident.conns ?? [])[0];
  const cost = incident.cost_us > 0 && incident.rpcs > 0 ? `It cost ${duration(incident.cost_us)} of RPC time` : null;
  const meaning = note ? meaning_of(note.kind, note.conn, model) : meaning_of(known(MEANS, incident.kind), conn, model);
  return {text: incident.text ?? '', sure: incident.certainty === 'possible' ? 'Only possible: frames that the capture lacks could explain it' : undefined,
    why: [when_text(incident, model), cost, meaning].filter(Boolean).join('. '), ...place(incident, model),
    also: incident.kind === 'not_connected' ? {text: 'the attempts', fragment: to_view('connections')} : {text: 'on the timeline', fragment: to_view('time', window_of(incident, model))}};
}

// "It began at 22:06:11.247 UTC and lasted 62.6 s".
function when_text(incident, model) {
  const length = incident.end === undefined ? 0 : Math.floor(model.since(incident.end) - model.since(incident.begin) + 0.5);
  const until = incident.end === undefined ? ' and lasts when the capture ends' : length > 0 ? ` and lasted ${duration(length)}` : '';
  return `It began at ${clock(incident.begin).slice(0, 12)} UTC${until}`;
}

// "Look at the network, frame 295": where summary says to look.
function place(incident, model) {
  const [frame] = incident.frames ?? [];
  const several = (model.report.files ?? []).length > 1 && incident.files?.[0] !== undefined;
  const named = frame === undefined ? null : `frame ${frame}${several ? ` of ${file_name(incident.files[0])}` : ''}`;
  const side = known({client: 'the client', server: 'the server', network: 'the network'}, incident.side);
  if (side || named) {
    return {where: `Look at ${[side, named].filter(Boolean).join(', ')}`, fragment: frame === undefined ? undefined : to_frame(frame)};
  }
  return {where: undefined, fragment: undefined};
}

// A stretch of the timeline with a little room.
function window_of(incident, model) {
  const from = model.since(incident.begin);
  const to = incident.end === undefined ? model.end : model.since(incident.end);
  const room = Math.max((to - from) / 20, 1000);
  return to + room > 0 && to >= from ? [Math.max(from - room, 0), to + room] : undefined;
}

// Those that name a frame, but for violations, whose findings do.
export function incidents_with(frame, model) {
  return model.incidents.filter((incident) => incident.kind !== 'violation' && (incident.frames ?? []).includes(frame));
}
