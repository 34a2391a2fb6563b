"""The NFS operations that tshark shows, named as the Linux client names them, and as that client counted them.

The client's own count (/proc/self/mountstats) lies beside the captures of the larger set, as NAME.json. It was taken just
before `umount`; what came after it is in the kernel's trace of finished RPCs, in the same file.
"""
import collections
import json
import re

FIELDS = ["rpc.msgtyp", "rpc.program", "rpc.programversion", "rpc.procedure", "nfs.ops.count", "nfs.opcode"]
NFS = 100003
PROCEDURES = {0: "NULL", 1: "GETATTR", 2: "SETATTR", 3: "LOOKUP", 4: "ACCESS", 5: "READLINK", 6: "READ", 7: "WRITE", 8: "CREATE",
              9: "MKDIR", 10: "SYMLINK", 11: "MKNOD", 12: "REMOVE", 13: "RMDIR", 14: "RENAME", 15: "LINK", 16: "READDIR",
              17: "READDIRPLUS", 18: "FSSTAT", 19: "FSINFO", 20: "PATHCONF", 21: "COMMIT"}
# The operation that a COMPOUND is there for.
OPERATIONS = {4: "CLOSE", 5: "COMMIT", 6: "CREATE", 8: "DELEGRETURN", 11: "LINK", 12: "LOCK", 13: "LOCKT", 14: "LOCKU", 15: "LOOKUP",
              18: "OPEN", 20: "OPEN_CONFIRM", 25: "READ", 26: "READDIR", 27: "READLINK", 28: "REMOVE", 29: "RENAME", 30: "RENEW",
              33: "SECINFO", 34: "SETATTR", 35: "SETCLIENTID", 36: "SETCLIENTID_CONFIRM", 38: "WRITE", 39: "RELEASE_LOCKOWNER",
              41: "BIND_CONN_TO_SESSION",
              42: "EXCHANGE_ID", 43: "CREATE_SESSION", 44: "DESTROY_SESSION", 45: "FREE_STATEID", 52: "SECINFO_NO_NAME",
              55: "TEST_STATEID", 57: "DESTROY_CLIENTID", 58: "RECLAIM_COMPLETE", 59: "ALLOCATE", 60: "COPY", 62: "DEALLOCATE",
              68: "READ_PLUS", 69: "SEEK", 71: "CLONE", 72: "GETXATTR", 73: "SETXATTR", 74: "LISTXATTRS", 75: "REMOVEXATTR"}
# Those beside it, with the name of a COMPOUND of nothing else; the first that is there counts.
BESIDE = {3: "ACCESS", 10: "LOOKUP_ROOT", 9: "GETATTR", 53: "SEQUENCE", 22: None, 24: None, 31: None, 32: None}
# Names of the client for COMPOUNDs of the same operations; they differ in attributes and types.
SAME = {"SYMLINK": "CREATE", "OPEN_NOATTR": "OPEN", "SETACL": "SETATTR",
        **dict.fromkeys(["SERVER_CAPS", "FSINFO", "PATHCONF", "STATFS", "GETACL", "GET_LEASE_TIME", "LOOKUPP"], "GETATTR")}
# What `umount` brings, after the client was asked for its count.
AT_UMOUNT = {"DELEGRETURN", "DESTROY_SESSION", "DESTROY_CLIENTID"}
# Captures (by name) whose NFS operations cannot be read: they are cut by the snaplen, or encrypted.
UNREADABLE = re.compile(r"_snap\d+_|_krb5p_")
# Captures of more than the one mount whose count it is.
MORE_MOUNTS = re.compile(r"_symlink_|_krb5")


def compound(operations):
    for operation in operations:
        if operation not in BESIDE:
            return OPERATIONS.get(operation, f"operation {operation}")
    return next((name for operation, name in BESIDE.items() if operation in operations), "nothing")


class Operations:
    """Counts NFS Calls, fed with the FIELDS of each frame that has RPC-over-RDMA in it."""

    def __init__(self):
        self.calls = collections.Counter()
        self.unclear = 0  # frames

    def add(self, kinds, programs, versions, procedures, counts, operations):
        # The NFS dissector repeats version and procedure.
        versions, procedures = (v[::2] if len(v) == 2 * len(kinds) else v for v in (versions, procedures))
        if not len(kinds) == len(programs) == len(versions) == len(procedures):
            self.unclear += 1
            return
        counts, taken = iter(counts), 0
        for kind, program, version, procedure in zip(kinds, map(int, programs), versions, map(int, procedures)):
            name = PROCEDURES.get(procedure)
            if procedure == 1 and (version == "4" or program >= 0x40000000):  # COMPOUND, or CB_COMPOUND
                count = int(next(counts, "0"))
                name = compound([int(o) for o in operations[taken:taken + count]])
                taken += count
            if kind == "0" and program == NFS:
                self.calls[name] += 1


def differences(capture, found):
    """`found`, Operations, with the client's count for `capture`; nothing where there is none."""
    beside = capture.with_suffix(".json")
    truth = json.loads(beside.read_text()) if beside.exists() else {}
    mounts = (truth.get("mountstats") or {}).get("delta") or {}
    if not mounts or UNREADABLE.search(capture.name):
        return
    version_4 = str(truth["nfs_version"]).startswith("4")
    named = lambda name: SAME.get(name, name) if version_4 else name
    counted, finished = collections.Counter(), collections.Counter()
    for mount in mounts.values():
        for name, operation in mount["ops"].items():
            counted[named(name)] += operation["transmissions"]
    for name, count in ((truth.get("derived_from_kernel_traces") or {}).get("rpcs_finished_client") or {}).items():
        finished[named(name)] += count
    if found.unclear:
        yield f"{found.unclear} frames whose RPC messages cannot be distinguished"
    for name in sorted({*counted, *found.calls}, key=str):
        shown = found.calls[name]
        if name in AT_UMOUNT or (MORE_MOUNTS.search(capture.name) and name != "NULL"):
            if shown != finished[name] or shown < counted[name]:
                yield f"{name}: {shown} shown, {counted[name]} counted by the client, {finished[name]} finished"
        elif name == "NULL" and MORE_MOUNTS.search(capture.name):  # those of other programs are finished, too
            if not counted[name] <= shown <= finished[name]:
                yield f"NULL: {shown} shown, {counted[name]} counted by the client, {finished[name]} finished"
        elif shown != counted[name]:
            yield f"{name}: {shown} shown, {counted[name]} counted by the client"
