// The records of Steertag that the page reads, one JSON object a line. Made by record_types.py of `steertag schema`.

/** The first line of every command that reads captures, and of merge. */
export interface StreamRecord {
  type: "stream";
  /** Which edition of these records follows; another number would mean another schema. */
  format: 1;
  tool: "steertag";
  /** Of the command that wrote the lines. */
  version: string;
  /**
   * The files that had a part in the verdict beside the captures (audit, report), in the order in which they
   * were read.
   */
  configured_by?: Array<{
    /** Its path. */
    file: string;
    /** What it is; a profile comes with steertag. */
    kind: "configuration" | "baseline" | "profile";
    /** The SHA-256 of its bytes, as they were read. */
    sha256: string;
  }>;
  share?: [number, number, string];
}

/**
 * A connection: from connections, at its end, and from the other commands, where it is first named. Only
 * connections and report give what is known at its end (from credits on).
 */
export interface ConnectionRecord {
  type: "connection";
  /** Its number, from 1 in the order of first frames; other records refer to it by this. */
  conn: number;
  transport: "roce1" | "roce2" | "infiniband" | "iwarp";
  /** The Requester of the forward direction. */
  client?: string;
  /** The Responder of the forward direction. */
  server?: string;
  /** The end that sent the first frame, where nothing shows which end is the client. */
  a?: string;
  /** The other end, then. */
  b?: string;
  client_qpn?: string;
  server_qpn?: string;
  a_qpn?: string;
  b_qpn?: string;
  client_port?: number;
  server_port?: number;
  a_port?: number;
  b_port?: number;
  /** Whether both halves of the connection setup were captured, with their private data whole. */
  setup_seen: boolean;
  /**
   * What ties the two directions together: the setup, what the packets show, or nothing, since only one
   * direction was captured.
   */
  pairing: "setup" | "inferred" | "one_sided";
  /** RoCE, InfiniBand: the path MTU that the REQ asks for, in bytes. */
  path_mtu?: number;
  /** RDMA Reads at a time, as each end says during the setup, where it was captured. */
  read_depth?: {
    client?: ReadDepth;
    server?: ReadDepth;
    a?: ReadDepth;
    b?: ReadDepth;
  };
  first_frame: number;
  /** Of first_frame. */
  file?: string;
  /** Of RPC-over-RDMA, as it is in use when the record is written. */
  version?: number;
  /** RFC 8797 private data of the setup, of each end whose format is known. */
  private_data?: {
    client?: PrivateData;
    server?: PrivateData;
    a?: PrivateData;
    b?: PrivateData;
  };
  /** It carries no RPC-over-RDMA (connections --all); its number is of these alone. */
  rpcrdma?: false;
  /** How long the Sends of each end may be when the connection ends (connections, report), where that is known. */
  inline_thresholds?: {
    client?: InlineThreshold;
    server?: InlineThreshold;
    a?: InlineThreshold;
    b?: InlineThreshold;
  };
  /** Whether each end, as a Requester, takes Send With Invalidate, where that is known. */
  remote_invalidation?: {
    client?: RemoteInvalidation;
    server?: RemoteInvalidation;
    a?: RemoteInvalidation;
    b?: RemoteInvalidation;
  };
  /**
   * Version two: the transport characteristics of each end that are in force, by their numbers; also those that
   * have their default, where nothing is missing that may have changed it.
   */
  characteristics?: {
    client?: CharacteristicsInForce;
    server?: CharacteristicsInForce;
    a?: CharacteristicsInForce;
    b?: CharacteristicsInForce;
  };
  /** By Requester: the client's are of the forward direction, the server's of callbacks. */
  credits?: {
    client?: Credits;
    server?: Credits;
    a?: Credits;
    b?: Credits;
  };
  /** RoCE, InfiniBand: how its peer is to send again, as each end says during the setup, where that was captured. */
  retries?: {
    client?: Retries;
    server?: Retries;
    a?: Retries;
    b?: Retries;
  };
  /** RoCE, InfiniBand: the service level of the path that the REQ names. */
  service_level?: number;
  /** How packets ask the network to treat them: all values that were seen. */
  traffic_class?: {
    from_client?: Markings;
    from_server?: Markings;
    from_a?: Markings;
    from_b?: Markings;
  };
  /**
   * Ethernet: that the packets of an end came from another MAC address or VLAN than before. Not told where the
   * capture holds packets of that end twice, or has several taps.
   */
  link_changes?: {
    client?: LinkChange;
    server?: LinkChange;
    a?: LinkChange;
    b?: LinkChange;
  };
  last_frame?: number;
  /** Of last_frame. */
  last_file?: string;
  /** How it ended, where the capture shows it. */
  ended?: "disconnect" | "reject" | "fin" | "reset" | "terminate" | "replaced";
  /** Who ended it: by the first DREQ, FIN, RST or Terminate. */
  ended_by?: string;
  /** Whether the other end confirmed it: by a DREP, or a FIN of its own. */
  end_confirmed?: boolean;
  /** How many times packets that the client sent are missing from the capture. */
  client_gaps?: number;
  /** The same of the server. */
  server_gaps?: number;
  /** The same of end a. */
  a_gaps?: number;
  /** The same of end b. */
  b_gaps?: number;
  /** Frames that the capture holds once more, and that were dropped. */
  copies?: number;
  /** RoCE, InfiniBand: acknowledgments and NAKs that can belong to an earlier connection alone, by their PSNs. */
  stray_acks?: number;
  /** Packets that the network marked as having met congestion. */
  ecn_ce?: number;
  /** Congestion notification packets. */
  cnps?: number;
  /** ICMP errors about its packets, once it was set up. */
  icmp?: {
    /** How many. */
    count: number;
    /** Type and code of the latest. */
    reason: string;
    /** The same in words. */
    reason_name?: string;
    /** Who sent that: the host itself, or a router in between. */
    by: string;
    /** Its frame. */
    frame: number;
    /** Of frame. */
    file?: string;
  };
  /** Pause frames that stopped a link while it was open. */
  pauses?: number;
  share?: Array<number>;
}

/**
 * Tries to set up a connection for NFS/RDMA that failed (from connections, summary and report): those of one
 * client at one server and port with the same outcome and reason.
 */
export interface AttemptRecord {
  type: "attempt";
  transport: "roce1" | "roce2" | "infiniband" | "iwarp";
  /** Who tried. */
  client: string;
  /** Where. */
  server: string;
  port?: number;
  /** How many times: a REQ or SYN that was sent again is the same attempt. */
  attempts: number;
  /**
   * rejected: by a REJ or an MPA Reply; refused: by a RST in answer to a SYN, or by ICMP; unanswered: a SYN, REQ
   * or MPA Request; unconfirmed: a REP without RTU and without traffic; terminated: after the setup, before the
   * first RPC-over-RDMA message.
   */
  outcome: "rejected" | "refused" | "unanswered" | "unconfirmed" | "terminated";
  /** As the refusal says it: the code of a REJ, an ICMP message or a Terminate, or the flag of TCP. */
  reason?: string;
  /** The same in words. */
  reason_name?: string;
  /** Who refused it, or ended it. */
  by?: string;
  /** Of the refusal. */
  private_data?: string;
  first_frame: number;
  /** Of first_frame. */
  file?: string;
  last_frame: number;
  /** Of last_frame. */
  last_file?: string;
  /** What answers, or what was not answered: the first 16. */
  frames: Array<number>;
  files?: Array<string>;
  /** What the client did next at this server. */
  then: "none" | "connection" | "tcp";
  /** The connection that came up then. */
  conn?: number;
}

/**
 * One thing that happened, told once (from summary, report, stats, and audit with --incidents): the gravest
 * first, of several that are as grave the one that cost the most.
 */
export interface IncidentRecord {
  type: "incident";
  /** What happened. */
  kind: "not_connected" | "connection_lost" | "hang" | "loss" | "congestion" | "receiver_not_ready" | "credits" | "slow_server" | "slow_client" | "slow_network" | "transport_error" | "session" | "nfs_error" | "violation";
  /** When it began. */
  begin: string;
  /** Absent: it lasts when the capture ends. */
  end?: string;
  /** The first 16 connections that it hit. */
  conns: Array<number>;
  /** How many RPCs it hit; of a violation, how often it was found. */
  rpcs: number;
  /** Time of RPCs that it took, all of them together. */
  cost_us: number;
  /** Who is to blame, where that is known. */
  by?: string;
  /** Where to look for the cause. */
  side?: "client" | "server" | "network";
  /** possible: frames missing from the capture could explain it. */
  certainty: "possible" | "likely" | "definite";
  /** What happened, in a sentence. */
  text: string;
  /** Where to look: the best frame first. */
  frames: Array<number>;
  files?: Array<string>;
  /** The rules whose findings are part of it. */
  rules?: Array<string>;
}

/**
 * Packets of one kind that were lost together, or sent again without need (from losses): in order of the first
 * sign of it.
 */
export interface LossRecord {
  type: "loss";
  conn: number;
  /** Who sent what was lost. */
  from: string;
  /** Who did not get it. */
  to: string;
  /**
   * ack: the tap saw the acknowledgment of what was then sent again; setup: a REQ of the CM, or a SYN, was sent
   * again before the connection came up (packets is 0 where the tap had seen its answer).
   */
  what: "data" | "ack" | "setup";
  /** PSN, or TCP sequence number, of the first packet. */
  first: number;
  /**
   * How many packets were lost, at least: a RoCE receiver discards what follows a lost packet. 0: none, for all
   * that the capture shows.
   */
  packets: number;
  /** Bytes of their payload. */
  bytes: number;
  /** When its first copy was sent, or when the hole was first seen. */
  time: string;
  /** The first copy. Absent: no tap saw it, or it is forgotten. */
  sent_frame?: number;
  /** Of sent_frame. */
  sent_file?: string;
  /** What told the sender. timeout: nothing that the capture shows. Absent: it has one direction. */
  noticed_by?: "nak" | "rnr_nak" | "read_retry" | "timeout" | "duplicate_acks";
  /** The NAK, the repeated Read Request or acknowledgment; timeout: a NAK that had no effect. */
  noticed_frame?: number;
  /** Of noticed_frame. */
  noticed_file?: string;
  /** timeout, read_retry: for how long the sender had been idle; rnr_nak: what the receiver asks for. */
  timer_us?: number;
  /** The first that was sent again. Absent: an RNR NAK refused it, and the capture shows no more of it. */
  resent_frame?: number;
  /** Of resent_frame. */
  resent_file?: string;
  /** How many packets were sent again because of it, those without need among them. */
  resent_packets?: number;
  /** From the first copy, or the first sign of the loss, to the copy that was accepted. */
  delay_us?: number;
  /** How many RPCs waited meanwhile, 64 at most. */
  waiting?: number;
  /** Those RPCs. */
  rpcs?: Array<{
    conn: number;
    xid: string;
  }>;
  /**
   * before_tap: no tap saw the copy that was lost, and what follows it was seen; after_tap: a copy was seen that
   * did not arrive; receiver: it arrived, and was refused.
   */
  where: "before_tap" | "after_tap" | "receiver" | "unknown";
}

/**
 * One Send with its transport header, as far as it could be read (from decode). A retransmitted Send is not a
 * second message.
 */
export interface MessageRecord {
  type: "message";
  /** The frame that completed it. */
  frame: number;
  /** Of frame. */
  file?: string;
  /** All that carried its first good copy. */
  frames: Array<number>;
  files?: Array<string>;
  /** Of frame. */
  time: string;
  conn: number;
  from: string;
  to: string;
  /** Whether the connection's client sent it; left out where the roles are not known. */
  from_client?: boolean;
  /** The RDMA operation that carried it. */
  send: "send" | "send_invalidate";
  /** What a Send With Invalidate invalidates. */
  invalidated?: string;
  xid?: string;
  /** rdma_vers. */
  vers?: number;
  /** rdma_credit: asked for by a Requester, granted by a Responder. */
  credit?: number;
  /** rdma_proc by its name, or the number as text where the version does not define it. */
  proc?: string;
  /** Whether it belongs to a Call or to a Reply; left out where that cannot be known. */
  direction?: "call" | "reply";
  /** It was sent while the connection was being closed, and never acknowledged. */
  received?: false;
  /** rdma_align of an RDMA_MSGP, in bytes. */
  align?: number;
  /** rdma_thresh of an RDMA_MSGP, in bytes. */
  thresh?: number;
  /** rdma_inv_handle of version two. */
  inv_handle?: string;
  /** The Read list. */
  reads?: Array<{
    position: number;
    handle: string;
    length: number;
    offset: string;
  }>;
  /** The Write list, a list of segments for each chunk. */
  writes?: Array<Chunk>;
  /** The Reply chunk. */
  reply?: Chunk;
  /** The body of RDMA_ERROR or RDMA2_ERROR. */
  error?: {
    code: string;
    /** The lowest version that the Responder knows. */
    vers_low?: number;
    /** The highest. */
    vers_high?: number;
    /** What RFC 5666 let follow the code. */
    extra?: string;
    /** Whether the request was carried out. */
    processed?: boolean | number;
    /** Which segment was too short. */
    segment_index?: number;
    /** How long it would have had to be, in bytes. */
    length_needed?: number;
  };
  /** The body of RDMA2_OPTIONAL. */
  optional?: {
    /** rdma_opttype. */
    opttype: number;
    /** The name of opttype. */
    operation?: "ROPT_INITXCH" | "ROPT_REQXCH" | "ROPT_RESPXCH" | "ROPT_UPDXCH";
    /** What the sender has from the start. */
    start?: Array<Characteristic>;
    /** Which of them will not change. */
    nochg?: Array<number>;
    /** What the peer is asked to change. */
    want?: Array<Characteristic>;
    /** Which of these it has changed. */
    done?: Array<number>;
    /** Which of these it refuses to change. */
    rej?: Array<number>;
    /** Which of these it will change later. */
    pend?: Array<number>;
    /** What has changed. */
    now?: Characteristic;
    /** Whether this settles a change that was pending. */
    pendclr?: boolean | number;
    /** rdma_optinfo, where its structure is not known, or what follows it. */
    info?: string;
  };
  /** Where reading the header had to end; what was read before that is there. */
  stop?: {
    /** The XDR name of the field that did not fit. */
    field: string;
    /** Where it begins, in bytes from the start of the header. */
    offset: number;
    /** Bytes that it takes. */
    needed: number;
    /** Bytes that were left. */
    available: number;
    /**
     * What ended: what was captured of the message, the message itself, or a part of it that has a length of its
     * own.
     */
    limit: "capture" | "message" | "segment";
  };
  /** Bytes behind the transport header, as they were on the wire. */
  payload_length?: number;
  /** How many of them were captured, where that is fewer. */
  payload_captured?: number;
  /** The RPC header behind the transport header, where it is inline. */
  rpc?: {
    xid: string;
    /** Left out where it is neither. */
    type?: "call" | "reply";
    /** The number of the RPC program. */
    program?: number;
    /** The version of the program. */
    version?: number;
    /** The number of the procedure. */
    procedure?: number;
    name?: string;
    /** Whether the request was accepted, or the number as text. */
    reply_stat?: string;
    /** By its name, or the number as text. */
    accept_stat?: string;
    /** By its name, or the number as text. */
    reject_stat?: string;
  };
  /** What CONF_RDMA (RFC 5666) asks for, or settles. Sizes in bytes. */
  conf_rdma?: {
    /** The longest Call inline. */
    maxcall_sendsize?: number;
    /** The longest Reply inline. */
    maxreply_sendsize?: number;
    /** What the data of an RDMA_MSGP has to be aligned to. */
    align?: number;
    /** RDMA Reads at a time. */
    maxrdmaread?: number;
  };
  share?: Array<number>;
}

/**
 * One RPC: its Call, its Reply, what moved in between, and where its time went (from flows). Times are those of
 * the tap.
 */
export interface RpcRecord {
  type: "rpc";
  conn: number;
  xid: string;
  /** backward: the server called the client. */
  direction: "forward" | "backward";
  /** The frame that completed the Call. */
  call_frame?: number;
  /** Of call_frame. */
  call_file?: string;
  /** The frame that completed the Reply's first copy. */
  reply_frame?: number;
  /** Of reply_frame. */
  reply_file?: string;
  /** Of call_frame. */
  call_time?: string;
  /** Of reply_frame, where there is no Call. */
  reply_time?: string;
  /** Microseconds from call_frame to reply_frame. Negative where clocks differ or go back. */
  latency_us?: number;
  /** From the Call's first frame to the copy of the Reply that the Requester accepted. The sum of phases. */
  delivered_us?: number;
  /** What delivered_us was spent on, in microseconds; a phase that did not occur is left out. */
  phases?: {
    /** Until the Responder had accepted the Call. */
    call?: number;
    /** Until the first RDMA Read Request. */
    start?: number;
    /** Until the last Read Response was accepted. */
    read?: number;
    /** Until the first RDMA Write, or the Reply. */
    serve?: number;
    /** Until the last RDMA Write. */
    write?: number;
    /** Until the Reply was first sent. */
    finish?: number;
    /** Until it was accepted. */
    reply?: number;
  };
  /** How much of delivered_us went by waiting for what was lost, or refused by an RNR NAK. */
  recovery_us?: number;
  /** What the largest part of the time was spent on; network: packets that were lost; data: moving them by RDMA. */
  waited_on?: "responder" | "requester" | "network" | "data";
  /** How long there was no Reply, as far as the capture goes. */
  unanswered_us?: number;
  /** For how long before the Call its Requester had as many Calls outstanding as it was granted. */
  at_credit_limit_us?: number;
  /** How many times the Call was sent, this one included. */
  attempts?: number;
  /** The earlier Call that this one repeats. */
  retry_of?: {
    conn: number;
    call_frame: number;
    /** Of call_frame. */
    call_file?: string;
  };
  /** From the first attempt's Call to the accepted Reply. */
  total_us?: number;
  /** The number of the RPC program. */
  program?: number;
  /** The version of the program. */
  version?: number;
  /** The number of the procedure. */
  procedure?: number;
  name?: string;
  op?: string;
  /** All operations of a COMPOUND, in order. */
  ops?: Array<string>;
  /** More operations may follow that were not captured or not understood. */
  ops_whole?: false;
  /**
   * The file that it is about, as a path as far as the capture shows it, which begins with / where that is all
   * of it. The name is the latest that LOOKUP, OPEN, CREATE, READDIR, MNT or RENAME gave its handle; left out
   * where none did.
   */
  file?: string;
  /** Of READ, WRITE, COMMIT and their like: where in the file it begins, in bytes. */
  offset?: number;
  /** And how many bytes it asks for. */
  count?: number;
  /** The user id in the Call's AUTH_SYS credential. */
  user?: number;
  /** Bytes of the RPC Call, chunks included. */
  args_length?: number;
  /** Bytes of the RPC Reply, chunks included. */
  results_length?: number;
  /** What there is: Call and Reply, a Call alone, a Reply alone, a Call that an error of the transport answered. */
  status: "complete" | "no_reply" | "no_call" | "transport_error";
  /**
   * From report: the frame with which the Responder had all of the Call, where that is not call_frame: a copy of
   * it, or of something before it.
   */
  call_accepted_frame?: number;
  /** Of call_accepted_frame. */
  call_accepted_file?: string;
  /**
   * The frame with which the Requester had all of the Reply, where that is not reply_frame: a copy of it, or of
   * something before it.
   */
  reply_accepted_frame?: number;
  /** Of reply_accepted_frame. */
  reply_accepted_file?: string;
  /** From report: the Reply was sent again and again, and no copy arrived. */
  never_accepted?: true;
  /** From report: the credits that the Call asks for. */
  requested?: number;
  /** From report: the credits that the Reply grants. */
  granted?: number;
  /** Segments of the Call's Read list. */
  reads: Array<Flow>;
  /** The Write list, a list of segments for each chunk. */
  writes: Array<Array<Flow>>;
  /** Segments of the Reply chunk. */
  reply_chunk?: Array<Flow>;
  /** Segments of the Reply's own Read list (RFC 5666). */
  reply_reads?: Array<Flow>;
  /** Of the RDMA_DONE that says these were read. */
  done_frame?: number;
  /** Of done_frame. */
  done_file?: string;
  /** What the Reply invalidated remotely. */
  invalidated?: string;
  error?: string;
  /** How the RPC Reply refused the request; left out where it accepted it. */
  rpc_status?: string;
  /** Why, of AUTH_ERROR. */
  auth_stat?: number;
  /** The status of NFS by its name; left out where it is OK. */
  nfs_status?: string;
  /** Packets of this RPC that were sent again. */
  repeats?: number;
  /** NAKs about packets of this RPC. */
  naks?: number;
  /** On its connection, between Call and Reply: NAKs because the receiver had no buffer ready. */
  rnr_naks?: number;
  /** The same: times that a TCP receiver had no room. */
  zero_windows?: number;
  /** The same: packets that the network marked as congested. */
  ecn_ce?: number;
  /** The same: congestion notification packets. */
  cnps?: number;
  /** Pause frames that the capture has between Call and Reply, whoever they were for. */
  pauses?: number;
  /** From report, where something was sent again or refused: the Responder's acknowledgment of the Call. */
  call_acknowledged?: Acknowledged;
  /** The same of the Reply and the Requester. */
  reply_acknowledged?: Acknowledged;
  /**
   * From report: what was sent again or refused on its connection from the Call to the accepted Reply; of many
   * the first and the last.
   */
  setbacks?: Array<{
    frame: number;
    /** Of frame. */
    file?: string;
    /** When, since the Call's first frame. */
    us: number;
    /** sent_again: the frame repeats something; the others: a receiver would not take what came. */
    what: "sent_again" | "nak" | "rnr_nak" | "zero_window";
    /** Who sent the frame. */
    by: "requester" | "responder";
  }>;
  /** From report: how many there were, where they are more than it lists. */
  setbacks_in_all?: number;
  /** False where the capture may hide something of this RPC. */
  complete: boolean;
  /** Why complete is false. */
  incomplete_because?: "header_cut" | "frames_missing" | "call_missing" | "capture_ended" | "reply_unclear" | "in_parts";
  share?: Array<number>;
}

/**
 * Version two: a request for other transport characteristics, an RPC-like call without an RPC message, and its
 * answer (from flows). It is not among the rpcs of the summary.
 */
export interface XcharRecord {
  type: "xchar";
  conn: number;
  xid: string;
  /** backward: it is the server that asks. */
  direction: "forward" | "backward";
  /** The frame that completed the request. */
  call_frame?: number;
  /** Of call_frame. */
  call_file?: string;
  /** The frame that completed the answer. */
  reply_frame?: number;
  /** Of reply_frame. */
  reply_file?: string;
  /** Of call_frame. */
  call_time?: string;
  /** Of reply_frame, where there is no request. */
  reply_time?: string;
  /** Microseconds from call_frame to reply_frame. Negative where clocks differ or go back. */
  latency_us?: number;
  /** What asks. */
  operation: "ROPT_REQXCH";
  /** What the peer is asked to change; the first 64. */
  want?: Array<{
    /** Its number. */
    id: number;
    /** Its name, where it has one. */
    name?: "XCHAR_RBSIZ" | "XCHAR_REQREMINV" | "XCHAR_BRS";
    /** The value; of XCHAR_RBSIZ, bytes. */
    value?: number;
    /** The name of the value, where values have names; else the number. */
    text?: string;
    /** Where it is no number, or the id is not known: the first 64 bytes. */
    data?: string;
    /** Of the data, where that is longer. */
    data_length?: number;
  }>;
  /** As in rpc. */
  status: "complete" | "no_reply" | "no_call" | "transport_error";
  /** ROPT_RESPXCH, or the error that answered it. */
  answer?: string;
  /** Of want: what was changed. */
  done?: Array<number>;
  /** Of want: what was rejected. */
  rej?: Array<number>;
  /** Of want: what will be changed later, by ROPT_UPDXCH. */
  pend?: Array<number>;
  /** Whether nothing that the capture lacks may hide something of it. */
  complete: boolean;
  share?: Array<number>;
}

/**
 * A group of RPCs (from stats), with --interval of those whose Call was sent in one interval. Which of op, conn,
 * client, server, file, user there are is what --by says.
 */
export interface StatRecord {
  type: "stat";
  op?: string;
  protocol?: string;
  conn?: number;
  client?: string;
  server?: string;
  /** The file that they are about; left out for those of which it is not known. */
  file?: string;
  /** The user id of AUTH_SYS; left out for those that have none. */
  user?: number;
  /** All RPCs of the groups and intervals beyond those that are kept. */
  rest?: true;
  /** When the interval begins. */
  interval?: string;
  /** RPCs; a Call that was sent again is one with its first. */
  count: number;
  /** Of them: a status of NFS that is not OK, refused by RPC, or an error of the transport. */
  failed: number;
  /** Of them: no Reply. */
  unanswered: number;
  /** How many times a Call was sent again. */
  retries: number;
  /** Bytes of the RPC Calls, chunks included. */
  args_bytes: number;
  /** Bytes of the RPC Replies, chunks included. */
  results_bytes: number;
  /** RPCs whose time is known; times and phases are of these. */
  timed: number;
  /** From the first Call to the accepted Reply, in microseconds. */
  delivered_us?: {
    min: number;
    mean: number;
    p50: number;
    p90: number;
    p99: number;
    p999: number;
    max: number;
  };
  /** The mean of each phase, in microseconds; one that never occurred is left out. */
  phases?: {
    /** Until the Call was sent for the last time. */
    earlier?: number;
    call?: number;
    start?: number;
    read?: number;
    serve?: number;
    write?: number;
    finish?: number;
    reply?: number;
  };
  /** The mean of what went by waiting for what was lost, or refused by an RNR NAK. */
  recovery_us?: number;
  /** How many RPCs waited longest on whom or what. */
  waited_on?: {
    /** RPCs that waited longest on it. */
    responder?: number;
    /** RPCs that waited longest on it. */
    requester?: number;
    /** RPCs that waited longest on it. */
    network?: number;
    /** RPCs that waited longest on it. */
    data?: number;
  };
  /** From report: the times of all of them together, in microseconds. */
  sums_us?: {
    delivered?: number;
    earlier?: number;
    call?: number;
    start?: number;
    read?: number;
    serve?: number;
    write?: number;
    finish?: number;
    reply?: number;
    recovery?: number;
  };
  /** How long those whose Reply certainly did not come waited together, until nothing more could come. */
  waiting_us?: number;
  /** The longest of them. */
  longest_waiting_us?: number;
}

/** How a connection fared (from stats). */
export interface LoadRecord {
  type: "load";
  conn?: number;
  /** The most Calls that the client had outstanding. */
  in_flight_max?: number;
  /** The fewest credits that the server granted. */
  granted_min?: number;
  /** The most. */
  granted_max?: number;
  /** The most credits that the client asked for. */
  requested_max?: number;
  /** For how long all credits were in use. */
  at_credit_limit_us?: number;
  /** For how long at least one Call waited for its Reply. */
  busy_us?: number;
  /** What the time of all RPCs together was spent on, callbacks apart, in microseconds. */
  spent_us?: {
    responder: number;
    requester: number;
    network: number;
    data: number;
  };
  /** The shortest round trip between the tap and each end, in microseconds. */
  rtt_us?: {
    client?: number;
    server?: number;
    a?: number;
    b?: number;
  };
  /** All connections beyond those that are kept. */
  rest?: true;
  /** How many these are. */
  connections?: number;
  /** Packets or segments that were sent again. */
  retransmitted: number;
  /** Negative acknowledgments, without those for receivers that are not ready. */
  naks: number;
  /** Negative acknowledgments because the receiver had no buffer ready. */
  rnr_naks: number;
  /** How many times an end closed its TCP window. */
  zero_windows?: number;
  /** Congestion notification packets. */
  cnps: number;
  /** Packets that the network marked as having met congestion. */
  ecn_ce: number;
  /** Pause frames that the capture has while the connection lasts. */
  pauses?: number;
  /** RPCs that met congestion marks or CNPs, or that pause frames kept waiting for half of their time or more. */
  congested_rpcs?: number;
  /** Packets that others had overtaken. */
  reordered?: number;
  /** Packets that were sent again and of which the tap saw no first copy. */
  lost_before_tap?: number;
  /** The longest time in which what an end sent again and again did not arrive. */
  outage_us?: number;
  /** Calls that were first sent on an earlier connection. */
  taken_over?: number;
  /** Bytes of RPC messages, inline and by RDMA, each once. */
  bytes_to_server?: number;
  /** The same in the other direction. */
  bytes_to_client?: number;
}

/** Something that stands out in the statistics (from stats), the dearest first. */
export interface NoteRecord {
  type: "note";
  /** What it is about. */
  kind: "credits" | "loss" | "server" | "offset" | "outlier" | "client" | "data" | "distance" | "unanswered" | "retries" | "failures" | "not_ready" | "congestion" | "outage" | "reconnect" | "reordering" | "at_least" | "untimed";
  conn?: number;
  op?: string;
  protocol?: string;
  /** Where to look. */
  frame?: number;
  /** Of frame. */
  file?: string;
  /** The RPCs that it cost most, the dearest first: the frame of the Call, and what it cost. */
  dearest?: Array<{
    /** Of its Call. */
    frame: number;
    /** Of frame. */
    file?: string;
    /** For how long it waited for lost packets. */
    recovery_us?: number;
    /** How long it took in all. */
    delivered_us?: number;
  }>;
  message: string;
}

/** A requirement that was broken (from audit). */
export interface FindingRecord {
  type: "finding";
  rule: string;
  severity: "error" | "warning" | "note";
  /** possible: frames missing from the capture could explain it. */
  certainty: "possible" | "likely" | "definite";
  /** Where it was broken. */
  frame: number;
  /** Of frame. */
  file: string;
  /** Of frame. */
  time: string;
  conn?: number;
  xid?: string;
  message: string;
  /** How many violations it stands for, the first of which it shows. */
  count?: number;
  /** The role of who broke it. */
  blame: "undecided" | "requester" | "responder";
  /** The end that broke it. */
  by?: string;
  op?: string;
  fingerprint: string;
  /** A baseline or the configuration accepts it, unless there are too many: then exceeded says so. */
  known?: true;
  /** Why it does. */
  known_reason?: string;
  /** Of the place at fault, in bytes from the start of the message. */
  offset?: number;
  /** Of the place at fault, in bytes. */
  length?: number;
  source: Source;
  /** Earlier frames that it rests on. */
  related: Array<number>;
  /** The file of each of related, where they are not all that of frame. */
  related_files?: Array<string>;
  /** From report: the time of each of related. */
  related_times?: Array<string>;
  /** From report, of the first findings of a rule on a connection: what it is about, as text of whole lines. */
  excerpt?: {
    /** The header of the message at fault, field by field, or the RDMA operation. */
    header: string;
    /** The same, and the messages and RDMA operations that belong to it. */
    context: string;
  };
  share?: Array<number>;
}

/**
 * Behaviour that is known, of which more was found than is accepted: its findings count (from audit, with what
 * is known).
 */
export interface ExceededRecord {
  type: "exceeded";
  rule: string;
  fingerprint: string;
  shape?: string;
  /** How many are accepted. */
  at_most: number;
  /** Why they are. */
  reason: string;
  /** The file that says so. */
  baseline: string;
  /** Of that file. */
  line: number;
  /** How many were found. */
  found: number;
}

/** Behaviour that is known, and was found no more (from audit, with what is known). */
export interface StaleRecord {
  type: "stale";
  rule: string;
  fingerprint: string;
  shape?: string;
  /** How many are accepted. */
  at_most: number;
  /** Why they are. */
  reason: string;
  /** The file that says so. */
  baseline: string;
  /** Of that file. */
  line: number;
}

/** How often a rule was put to the test (from audit --tally). */
export interface TallyRecord {
  type: "tally";
  rule: string;
  /** How many times it applied; 0 proves nothing. */
  checked: number;
  /** How many of these times it was kept. */
  kept: number;
  /** How many times it was broken. */
  broken: number;
  /** How many times the capture does not show which. */
  undecided: number;
}

/** How many requirements of a document this traffic exercised, kept, broke (from audit --scorecard). */
export interface ScoreRecord {
  type: "score";
  /** RFC 8166, version-two-02 ... */
  document: string;
  /** Of the rules that check them; absent of those that no traffic can show. */
  family?: string;
  /** Whom they address. */
  role: "requester" | "responder" | "both";
  /** How binding they are. */
  level: "MUST" | "SHOULD";
  /** How many there are. */
  requirements: number;
  /** How many this traffic gave an occasion to keep or break: the sum of the other three. */
  exercised: number;
  /** How many of them were kept. */
  kept: number;
  /** How many were broken. */
  broken: number;
  /** Of how many the capture hides which. */
  not_shown: number;
}

/** One thing in which two captures differ by more than noise (from diff). */
export interface DifferenceRecord {
  type: "difference";
  /**
   * What the values are of. finding: violations; rule: verdicts, where one side has none; operation: RPCs;
   * failure: RPCs that failed in one way; retries: Calls sent again; latency: until the Reply was delivered;
   * size: of RPC messages, on the average; calls, replies: messages that went inline, reduced, long; chunks:
   * their number and size; invalidation: Replies that invalidate remotely, of those to Calls with chunks;
   * credits: the most; network: what was sent again, or refused; connections: their number, all in all, and of a
   * transport or version that one side has not.
   */
  kind: "network" | "finding" | "rule" | "operation" | "failure" | "retries" | "latency" | "size" | "calls" | "replies" | "chunks" | "invalidation" | "credits" | "connections";
  /**
   * Of what exactly. finding: the sentence without its values; rule: its id; operation: its name; failure: what
   * was answered; latency: p50, p99; size: arguments, results; calls, replies: inline, reduced, long; chunks: of
   * which list; credits: granted, requested.
   */
  what: string;
  op?: string;
  protocol?: string;
  rule?: string;
  severity?: "error" | "warning" | "note";
  /** Of the surest finding; as everything about a finding, after, or before where there is none after. */
  certainty?: "possible" | "likely" | "definite";
  /** Whose doing it is. */
  blame?: "undecided" | "requester" | "responder";
  /** Of RPC-over-RDMA. */
  version?: number;
  /** Of the findings. What is found of a connection as a whole has that of the first. */
  fingerprint?: string;
  /** rule: how many times that capture did not show whether it was kept. */
  undecided_before?: number;
  /** The same of the other one. */
  undecided_after?: number;
  /**
   * chunks: RPCs that have some, their segments, bytes that these advertised and that RDMA moved, on the average
   * of such RPCs.
   */
  measure?: "RPCs" | "segments" | "advertised" | "moved";
  /** Of the values. */
  unit: "count" | "bytes" | "us";
  /** The value of the first capture. */
  before: number;
  /** Of how many: RPCs of the operation, its messages, all RPCs. */
  before_of?: number;
  /** The value of the second. */
  after: number;
  /** Of how many. */
  after_of?: number;
  /** Whether it got worse, as --fail-on regression understands it. */
  regression: boolean;
  /**
   * latency: of a million pairs of runs that are alike, how many differ so much by chance; p50 by the ranks of
   * all times, p99 by how many RPCs took so many times longer.
   */
  chance_ppm?: number;
  /** Where to look: the first finding, the first RPC that failed so, the Call of the longest RPC. */
  before_frame?: number;
  /** Of before_frame. */
  before_file?: string;
  /** The same in the second capture. */
  after_frame?: number;
  /** Of after_frame. */
  after_file?: string;
}

/** A rule (from rules, which prints neither stream nor summary). */
export interface RuleRecord {
  type: "rule";
  rule: string;
  /** What it finds, in a few words. */
  name: string;
  severity: "error" | "warning" | "note";
  source: Source;
  /** Further documents that require it. */
  also?: Array<string>;
  /** What is required. */
  requirement: string;
  /** Why it matters. */
  why: string;
  /** Its page, in Markdown, with traffic that breaks and that keeps it; where the rule was asked for by its id. */
  page?: string;
}

/** What became of one of several captures that were audited apart: behind all records of it (from audit --each). */
export interface FileRecord {
  type: "file";
  file: string;
  /** As if it had been audited alone. */
  status: 0 | 1 | 2;
  /** Rules that had a verdict. */
  rules_judged: number;
  /** Why it could not be read, or was not. */
  reason?: string;
  /** Frames that were read. */
  frames: number;
  /** RPC-over-RDMA messages in them. */
  messages: number;
  /** RPCs. */
  rpcs: number;
  /** Connections that carry RPC-over-RDMA. */
  connections: number;
  findings: Findings;
  /** Packets that are known to be missing from it. */
  lost: number;
  /** Frames that whoever captured it says were lost, of whatever kind; absent: it says of none. */
  dropped?: number;
  /** What was given up to stay within its part of --memory. */
  memory_evicted?: number;
  /** Why it was not read to its end. */
  cut?: "truncated" | "interrupted";
  /** It makes no sense from some place on. */
  damaged?: true;
  seen?: Seen;
}

/** The last line of every command that reads captures, and of merge: with it nothing is missing. */
export interface SummaryRecord {
  type: "summary";
  /** Captures that were read. */
  files: number;
  /** From audit --each: the exit status. */
  status?: 0 | 1 | 2;
  /** From audit --each: rules that had a verdict in any of the files. */
  rules_judged?: number;
  /** From audit --each: files of status 0. */
  passed?: number;
  /** From audit --each: files of status 1. */
  failed?: number;
  /** From audit --each: files of status 2, which could not be read, or not to the end. */
  unread?: number;
  /** Frames that were read. */
  frames: number;
  /** RPC-over-RDMA messages in them, shown or not. */
  messages: number;
  /** RPCs, shown or not. */
  rpcs: number;
  /** Connections that carry RPC-over-RDMA. */
  connections: number;
  findings?: Findings;
  /** Packets that are known to be missing from the capture. */
  lost: number;
  /** Frames that whoever captured it says were lost, of whatever kind; absent: it says of none. */
  dropped?: number;
  /** What was given up to stay within --memory: connections, RPCs, packets that waited. */
  memory_evicted?: number;
  /** From diff, unless it was interrupted: how many were printed. */
  differences?: number;
  /** From diff: how many of them are regressions. */
  regressions?: number;
  /** From diff: operations of both sides whose latencies were compared. */
  operations_timed?: number;
  /** From diff: operations of both sides with too few RPCs for that. */
  operations_too_few?: number;
  /** From diff: the first of the two, of which the other members have the sum. */
  before?: Side;
  /** From diff: the second. */
  after?: Side;
  /** Why the captures were not read to their end: a file is cut short, or a signal ended the run. */
  cut?: "truncated" | "interrupted";
  /** A capture makes no sense from some place on. */
  damaged?: true;
  seen?: Seen;
}

/**
 * What disturbed a connection in an interval (from stats with --interval): packets sent again, and what says
 * that somebody was slower than the other. Pause frames are of no connection.
 */
export interface DisturbancesRecord {
  type: "disturbances";
  conn?: number;
  /** Its start. */
  interval?: string;
  /** All intervals that were too many to be told apart. */
  rest?: true;
  /** Packets or segments that the client sent again. */
  retransmitted_by_client?: number;
  /** The same of the server. */
  retransmitted_by_server?: number;
  /** Where the roles are not known: of the end that was seen first. */
  retransmitted_by_a?: number;
  /** Of the other. */
  retransmitted_by_b?: number;
  /** Negative acknowledgments, without those for receivers that are not ready. */
  naks?: number;
  /** Negative acknowledgments because the receiver had no buffer ready. */
  rnr_naks?: number;
  /** Times that a TCP receiver had no room. */
  zero_windows?: number;
  /** Packets that the network marked as congested. */
  ecn_ce?: number;
  /** Congestion notification packets. */
  cnps?: number;
  /** Pause frames. */
  pauses?: number;
}

/**
 * How the traffic of a connection went in an interval (from report, where it leaves RPCs out). Intervals in
 * which nothing was are left out.
 */
export interface PaceRecord {
  type: "pace";
  conn: number;
  /** Its start. */
  interval: string;
  /** Its length in nanoseconds, the same of all intervals of a connection. */
  interval_ns: number;
  /**
   * The time that Calls of the client waited for their Replies, added up: divided by the length, it is how many
   * were outstanding on average.
   */
  outstanding_us: number;
  /** For how long all credits were in use. */
  at_credit_limit_us?: number;
  /** The fewest credits that a Reply granted. */
  granted_min?: number;
  /** Bytes of RPC messages, inline and by RDMA, by the time of the Reply. */
  bytes_to_server: number;
  /** The same in the other direction. */
  bytes_to_client: number;
}

/**
 * How the sequence numbers of one end of a connection went on (from report): of the connections on which most
 * was lost or sent again, and of the first.
 */
export interface SequenceRecord {
  type: "sequence";
  conn: number;
  /** Whose numbers they are. RoCE: Read Responses have those of who asks. */
  from: string;
  /** Its peer. */
  to: string;
  /** The PSN, or TCP sequence number, of the lowest. Absent where nothing was late or refused. */
  first?: number;
  /** Of the earliest point. */
  begin: string;
  /** Points of one kind each. */
  tracks: Array<{
    /**
     * acknowledged: by the peer, all before it. late: seen for the first time, behind what follows it. lost: at
     * its first copy, or where it was missed first. read_response, acknowledgment_lost, nak, rnr_nak: of the
     * peer.
     */
    what: "sent" | "read_response" | "acknowledged" | "sent_again" | "late" | "lost" | "acknowledgment_lost" | "nak" | "rnr_nak";
    /** How many there were. Where the lists are shorter they are thinned out evenly, and end with the last. */
    all: number;
    /** When, in microseconds since begin. */
    us: Array<number>;
    /** Where, counted from the lowest: packets by their PSN; iWARP: bytes of the stream. */
    at: Array<number>;
    /** lost: how many packets, from there on. */
    packets?: Array<number>;
  }>;
}

/** Of what a report is, and how much of it it holds; the summary counts all of it. */
export interface ReportRecord {
  type: "report";
  /** Of the first frame. */
  begin: string;
  /** Of the last frame that counts for something shown. */
  end: string;
  /** The captures. */
  files: Array<string>;
  /** RPCs that there were. */
  rpcs: number;
  /** Records of them: where these are fewer, an even sample, the slowest, and those that failed or have findings. */
  rpcs_shown: number;
  /** Findings that there were, the known ones included. */
  findings: number;
  /** Records of them, the worst. */
  findings_shown: number;
  /** Connections that carry RPC-over-RDMA. */
  connections: number;
  /** Records of them, the first. */
  connections_shown: number;
  /** Losses that there were, runs of packets each. */
  losses: number;
  /** Records of them, those that took the longest. */
  losses_shown: number;
  /** How long the intervals of the records "disturbances" are, in microseconds. */
  disturbances_us: number;
  /** The configuration that was in force. */
  config?: string;
}

/** With --shard: what the numbering of all connections has to know of one of this share; merge uses it up. */
export interface PromiseRecord {
  type: "promise";
  /** What became of the connection. */
  what: number;
  conn: number;
  /** Of its first frame, among all frames. */
  order: number;
  share?: Array<number>;
}

/** With --shard: the last line, instead of summary; merge adds those of all shares up. */
export interface ShareRecord {
  type: "share";
  /**
   * files, frames, messages, rpcs, connections, lost, dropped, memory_evicted, errors, warnings, notes, exit
   * status; whether a capture is damaged, rules were asked, tallies are wanted.
   */
  counted: Array<number>;
  /** What was counted in all frames, for seen in the summary. */
  of_frames: Array<number>;
  /** So many numbers for each rule. */
  tallies: Array<number>;
  /** Five numbers for each transport and port. */
  seen: Array<number>;
  /** The rules of --require. */
  required: string;
  /** As in the summary. */
  cut: "" | "truncated" | "interrupted";
}

/** A segment, and what RDMA moved into or out of it. */
export interface Flow {
  handle: string;
  length: number;
  offset: string;
  position?: number;
  /** Distinct bytes that RDMA Reads or Writes carried. */
  moved: number;
  /** RDMA Read Requests or RDMA Writes, retransmissions not counted. */
  ops: number;
  /** From report: when the first of these bytes went by, since the Call. */
  first_us?: number;
  /** From report: when the last of them did. */
  last_us?: number;
  /** From report: how many frames there are, where they are more than it lists. */
  frames_in_all?: number;
  /** Those that carried these bytes. */
  frames: Array<number>;
  files?: Array<string>;
  /** The length that the Reply gives for it, in bytes. */
  returned?: number;
  /** Some of it moved after the Reply. */
  after_reply?: true;
  /** Some of it was read after the RDMA_DONE. */
  after_done?: true;
}

export type Chunk = Array<{
  handle: string;
  length: number;
  offset: string;
}>;

/** A transport characteristic of version two. */
export interface Characteristic {
  /** Its number. */
  id: number;
  /** Its name, where it has one. */
  name?: "XCHAR_RBSIZ" | "XCHAR_REQREMINV" | "XCHAR_BRS";
  /** Its value; of XCHAR_RBSIZ, bytes. */
  value?: number;
  /** The name of the value, where values have names; else the number. */
  text?: string;
  /** Where it is no number, or the id is not known. */
  data?: string;
}

/** RFC 8797 private data of one end. */
export interface PrivateData {
  /** Whether its sender supports remote invalidation. */
  remote_invalidation: boolean;
  /** The longest message that it sends inline, in bytes. */
  send_size: number;
  /** The longest that it receives inline, in bytes. */
  receive_size: number;
}

/** How the packets of one end ask the network to treat them. */
export interface Markings {
  /** The code points of its packets (RFC 2474). */
  dscp: Array<number>;
  /** What they say of explicit congestion notification (RFC 3168). */
  ecn: Array<"Not-ECT" | "ECT1" | "ECT0" | "CE">;
  /** The priorities of their VLAN tags. */
  pcp?: Array<number>;
}

/** RDMA Reads at a time, as one end says. */
export interface ReadDepth {
  /** How many it wants to have outstanding. */
  asks?: number;
  /** How many it serves. */
  offers?: number;
}

/** The latest change of where in its LAN one end sends from. */
export interface LinkChange {
  /** How often. */
  count: number;
  /** The source MAC address of its frames in front of the latest change. */
  mac_before: string;
  /** Their VLAN; the innermost, where there are several. */
  vlan_before?: number;
  /** The source MAC address since. */
  mac: string;
  /** The VLAN since. */
  vlan?: number;
  /** The first frame since. */
  frame: number;
  /** Of frame. */
  file?: string;
}

/** How often the peer of an end may send again, as that end says. */
export interface Retries {
  /** How often its peer may send again what was not acknowledged in time (REQ). */
  count?: number;
  /** How often its peer may send again after an RNR NAK; 7: for ever. */
  rnr: number;
  /** How long its peer waits for an acknowledgment: 4.096 us times two to the power of this; 0: for ever (REQ). */
  ack_timeout?: number;
}

/** The credits of one Requester, and what it made of them. */
export interface Credits {
  /** The fewest that it was granted. */
  granted_min?: number;
  /** The most. */
  granted_max?: number;
  /** The most Calls that it had outstanding. */
  in_flight_max: number;
}

/** The most bytes that a Send of one end may have. */
export interface InlineThreshold {
  /** By CONF_RDMA: of the RPC message in it. */
  bytes: number;
  /** What sets it; default: the version of the protocol. */
  by: "default" | "private_data" | "XCHAR_RBSIZ" | "CONF_RDMA";
  /** The frame of the message that has set it. */
  frame?: number;
  /** Of frame. */
  file?: string;
  /** Something is missing that may have changed it since. */
  certain?: false;
}

/** Whether a Requester takes Send With Invalidate. */
export interface RemoteInvalidation {
  /**
   * By private data: only where both ends support it. By default, rdma_inv_handle of a Call may still name a
   * handle.
   */
  accepted: boolean;
  /** What says so; default: the version of the protocol. */
  by: "default" | "private_data" | "XCHAR_REQREMINV";
  /** The frame of the message that says so. */
  frame?: number;
  /** Of frame. */
  file?: string;
  /** Something is missing that may have changed it since. */
  certain?: false;
}

/** The transport characteristics of one end. */
export type CharacteristicsInForce = Array<{
  /** Its number. */
  id: number;
  /** Its name, where it has one. */
  name?: "XCHAR_RBSIZ" | "XCHAR_REQREMINV" | "XCHAR_BRS";
  /** Its value; of XCHAR_RBSIZ, bytes. */
  value?: number;
  /** The name of the value, where values have names; else the number. */
  text?: string;
  /** Where it is no number, or the id is not known: the first 64 bytes. */
  data?: string;
  /** Of the data, where that is longer. */
  data_length?: number;
  /** It was never conveyed. */
  default?: true;
  /** The frame of the message that conveyed the value. */
  frame?: number;
  /** Of frame. */
  file?: string;
  operation?: "ROPT_INITXCH" | "ROPT_RESPXCH" | "ROPT_UPDXCH";
  /** Something is missing that may have changed it since. */
  certain?: false;
  /** All values that it had, in order, the one in force last; where there were several. */
  changes?: Array<{
    /** As above, and so are the others. */
    value?: number;
    /** The name of the value. */
    text?: string;
    /** The first 64 bytes. */
    data?: string;
    /** Of the data. */
    data_length?: number;
    /** The frame of the message that conveyed it. */
    frame: number;
    /** Of frame. */
    file?: string;
    operation?: "ROPT_INITXCH" | "ROPT_RESPXCH" | "ROPT_UPDXCH";
  }>;
}>;

/** From audit: how many count, of each severity; how many are known. */
export interface Findings {
  /** Findings of severity error. */
  error: number;
  /** Findings of severity warning. */
  warning: number;
  /** Findings of severity note. */
  note: number;
  /** Findings that a baseline or the configuration accepts, where there is one that accepts any. */
  known?: number;
}

/** One of two captures that are compared. */
export interface Side {
  /** Captures that it consists of. */
  files: number;
  /** Frames that were read. */
  frames: number;
  /** RPC-over-RDMA messages in them. */
  messages: number;
  /** RPCs; a Call that was sent again is another one. */
  rpcs: number;
  /** Connections that carry RPC-over-RDMA. */
  connections: number;
  /** How many there are of each severity. */
  findings: {
    /** Findings of severity error. */
    error: number;
    /** Findings of severity warning. */
    warning: number;
    /** Findings of severity note. */
    note: number;
  };
  /** Packets that are known to be missing from it. */
  lost: number;
  /** Frames that whoever captured it says were lost, of whatever kind; absent: it says of none. */
  dropped?: number;
  /** What was given up to stay within --memory. */
  memory_evicted?: number;
  /** Violations and RPCs of more kinds than are told apart, which were not compared. */
  untold?: number;
  /** Why it was not read to its end. */
  cut?: "truncated" | "interrupted";
  /** A capture of it makes no sense from some place on. */
  damaged?: true;
}

export interface Acknowledged {
  frame: number;
  /** Of frame. */
  file?: string;
  /** When, since the Call's first frame. */
  us: number;
}

/** The clause that requires it. */
export interface Source {
  /** RFC 8166, version-two-02. */
  document: string;
  /** Of the document: 4.3.1. */
  section: string;
}

/** Where there is no RPC-over-RDMA: what there is instead. */
export type Seen = Array<{
  /**
   * rdma: connections that carry something else; roce2: what looks like RoCEv2 on another port; malformed, cut:
   * headers that could not be read.
   */
  protocol: "rdma" | "nfs_tcp" | "nvme_tcp" | "smb_tcp" | "roce2" | "tcp" | "other" | "malformed" | "cut";
  transport?: "roce1" | "roce2" | "infiniband" | "iwarp";
  /** That the server listens on. */
  port?: number;
  /** What is usually served on it. */
  usually?: string;
  /** How many of this transport and port. */
  connections?: number;
  /** How many of them were open before the capture began. */
  without_setup?: number;
  /** How many of them were refused. */
  rejected?: number;
  /** How many frames of this protocol. */
  frames?: number;
}>;

export type Line =
  StreamRecord | ConnectionRecord | AttemptRecord | IncidentRecord | LossRecord | MessageRecord | RpcRecord |
  XcharRecord | StatRecord | LoadRecord | NoteRecord | FindingRecord | ExceededRecord | StaleRecord |
  TallyRecord | ScoreRecord | DifferenceRecord | RuleRecord | FileRecord | SummaryRecord | DisturbancesRecord
  | PaceRecord | SequenceRecord | ReportRecord | PromiseRecord | ShareRecord;
