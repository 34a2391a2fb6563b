// Frames: what the page knows of a frame, whichever it is. An RPC may have sent it, or lost it; a finding may name it;
// or it went by while RPCs were under way. Pure functions of the model.

const MOST_NEAR = 12;

// {frame, rpc, findings, us, conn, under_way, before, after}. `us`: when it was captured. `us`, `conn`: undefined
// where they are not known.
export function place_of(model, frame) {
  const rpc = model.with_frame(frame);
  const findings = naming(model, frame);
  const timed = findings.find(({us}) => us !== undefined);
  const one = findings[0] ?? null;
  const place = {frame, rpc, findings: findings.map(({finding}) => finding), us: timed?.us, conn: timed?.finding.record.conn ?? one?.finding.record.conn,
    under_way: [], before: null, after: null};
  if (!rpc) {
    surround(model, place);
  }
  return place;
}

// Findings of which it is the frame or a related one, with the time that they give for it.
function naming(model, frame) {
  const found = [];
  for (const finding of [...model.findings, ...model.known]) {
    const {record} = finding;
    const place = (record.related ?? []).indexOf(frame);
    if (record.frame === frame) {
      found.push({finding, us: finding.us});
    } else if (place >= 0) {
      const time = record.related_times?.[place];
      found.push({finding, us: time === undefined ? undefined : model.since(time)});
    }
  }
  return found;
}

// RPCs that were under way when it was captured: by time where that is known, else by the numbers of frames; and those
// next to it, where there are none.
function surround(model, place) {
  for (const rpc of model.rpcs) {
    if (place.conn !== undefined && rpc.conn !== place.conn) {
      continue;
    }
    const [begins, ends] = place.us !== undefined ? [rpc.us <= place.us, rpc.end >= place.us]
      : [rpc.frame <= place.frame, (rpc.record.reply_accepted_frame ?? rpc.record.reply_frame ?? Infinity) >= place.frame];
    if (begins && ends) {
      if (place.under_way.length < MOST_NEAR) {
        place.under_way.push(rpc);
      }
    } else if (begins) {
      place.before = rpc;
    } else {
      place.after = place.after ?? rpc;
    }
  }
}

// In words: what the frame is to each finding that names it.
export function named_as({record}, frame) {
  return record.frame === frame ? 'It is where this was found' : 'It is one of the frames that this rests on';
}
