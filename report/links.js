// Links: addresses of what the page shows, to be pasted into a mail:
//
//   #rpc=1:0x5e3a0003          an RPC: connection and XID; @44 behind it where several have that XID
//   #finding=MEM-09:22         a finding: rule and frame; :1 behind it for the connection
//   #frame=15                  the RPC that a frame belongs to
//   #view=time&t=0.5-1.25      a view; of the timeline a stretch, in seconds since the first frame
//   #view=time&conn=3          a connection's lane of the timeline
//   #view=operations&q=WRITE&least=10ms  RPCs with these words that took so long; also with op=, state=, of= (a
//                              connection) and t=, as the table is filtered
//   #view=rpc&t=0.5-0.6&conn=1 the ladder of all RPCs of a connection in a stretch
//
// Pure functions; main.js follows them.

const FILTERS = [['q', 'text'], ['least', 'least'], ['op', 'op'], ['state', 'state'], ['of', 'conn']];
export const VIEWS = ['summary', 'against', 'findings', 'connections', 'time', 'rpc', 'operations', 'coverage'];

export function to_rpc(rpc, model) {
  return `rpc=${rpc.conn}:${rpc.xid}${model.alone(rpc) ? '' : `@${rpc.frame}`}`;
}

export function to_finding({rule, frame, conn}) {
  return `finding=${encodeURIComponent(rule)}:${frame}:${conn}`;
}

export function to_frame(frame) {
  return `frame=${frame}`;
}

export function to_view(view, window) {
  return `view=${view}${window ? `&t=${seconds(window[0])}-${seconds(window[1])}` : ''}`;
}

export function to_lane(conn) {
  return `view=time&conn=${conn}`;
}

// What the table of RPCs shows: the window of the timeline, and what is asked for: {text, least, op, state, conn}, '' each
// where it is not.
export function to_filter(filter, window = null, view = 'operations') {
  return to_view(view, window) + FILTERS.map(([name, key]) => ((filter[key] ?? '') === '' ? '' : `&${name}=${encodeURIComponent(filter[key])}`)).join('');
}

export function to_window(conn, window) {
  return `${to_view('rpc', window)}&conn=${conn}`;
}

function seconds(us) {
  return String(Math.round(Math.max(us, 0)) / 1e6);
}

// What an address asks for: {rpc, finding, frame, view, window, conn, filter}; null where it asks for nothing known. `wrong`:
// a window that is none.
export function read(hash) {
  const parts = new Map();
  for (const part of String(hash).replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      parts.set(part.slice(0, equals), decoded(part.slice(equals + 1)));
    }
  }
  const rpc = /^(\d+):(0x[0-9a-f]{8})(?:@(\d+))?$/i.exec(parts.get('rpc') ?? '');
  if (rpc) {
    return {rpc: {conn: Number(rpc[1]), xid: rpc[2].toLowerCase(), frame: rpc[3] ? Number(rpc[3]) : undefined}};
  }
  const finding = /^([A-Z]+-\d+):(\d+)(?::(\d+))?$/.exec(parts.get('finding') ?? '');
  if (finding) {
    return {finding: {rule: finding[1], frame: Number(finding[2]), conn: finding[3] ? Number(finding[3]) : undefined}};
  }
  if (/^\d+$/.test(parts.get('frame') ?? '')) {
    return {frame: Number(parts.get('frame'))};
  }
  if (VIEWS.includes(parts.get('view'))) {
    const window = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(parts.get('t') ?? '');
    const range = window ? [Number(window[1]) * 1e6, Number(window[2]) * 1e6] : null;
    const conn = /^\d+$/.test(parts.get('conn') ?? '') ? Number(parts.get('conn')) : null;
    const filter = FILTERS.some(([name]) => parts.has(name)) ? Object.fromEntries(FILTERS.map(([name, key]) => [key, parts.get(name) ?? ''])) : null;
    const asked = {view: parts.get('view'), window: range && range[1] > range[0] ? range : null, conn, filter};
    return parts.has('t') && !asked.window ? {...asked, wrong: parts.get('t')} : asked;
  }
  return null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
