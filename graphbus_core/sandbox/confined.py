"""The first code inside a sandbox: give up rights, then become the command. Run by path, imports nothing of ours.

Its one argument is JSON: `argv`, `cwd`, `limits` (resource name -> value), `uid` (to drop to, or null); for a system
without bubblewrap `own`: true to part with the network and the process tree and to shut the file system by Landlock,
with `read` and `write` folders. It tells what it achieved on file descriptor `tell`, as JSON, before it becomes the
command.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x20000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
CLONE_NEWUTS = 0x4000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18
MOUNT_SETATTR, AT_RECURSIVE, AT_FDCWD, MOUNT_ATTR_RDONLY = 442, 0x8000, -100, 1
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
CAPABILITIES, CAPABILITY_VERSION = 64, 0x20080522
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
READ = (1 << 0) | (1 << 2) | (1 << 3)  # execute, read file, read folder


def main(request: dict) -> None:  # type: ignore[type-arg]
    """Confine this process and replace it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    achieved = dict.fromkeys(("network", "processes", "files", "limits", "rights", "list", "name", "powers"), True)
    if request.get("own"):
        achieved["network"] = achieved["processes"] = achieved["name"] = _isolate_namespaces(libc)
        achieved["rights"], achieved["list"] = (
            _mount_read_only(libc, request["write"]) if achieved["processes"] else (False, False)
        )
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        achieved["files"] = _apply_landlock(libc, request["read"], request["write"])
    for name, value in request["limits"].items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (OSError, ValueError):
            achieved["limits"] = False
    uid = request.get("uid")
    if uid is None and os.getuid() == 0:
        achieved["powers"] = _drop_capabilities(libc)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if request.get("tell") is not None:
        os.write(request["tell"], json.dumps(achieved).encode())
        os.close(request["tell"])
    os.chdir(request["cwd"])
    try:
        os.execvpe(request["argv"][0], request["argv"], os.environ)
    except OSError as e:
        sys.stderr.write(f"{request['argv'][0]}: {e.strerror}\n")
        os._exit(127)


def _isolate_namespaces(libc: "ctypes.CDLL") -> bool:
    """Leave the network and the process tree behind. False where the system does not let us."""
    uid, gid = os.getuid(), os.getgid()
    flags = CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS
    if libc.unshare(flags | (0 if uid == 0 else CLONE_NEWUSER)) != 0:
        return False
    if uid != 0:
        try:
            with open("/proc/self/setgroups", "w") as file:
                file.write("deny")
            with open("/proc/self/uid_map", "w") as file:
                file.write(f"{uid} {uid} 1")
            with open("/proc/self/gid_map", "w") as file:
                file.write(f"{gid} {gid} 1")
        except OSError:
            pass
    child = os.fork()
    if child:  # when the first process of the new tree ends, the kernel ends all others in it
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return True


def _mount_read_only(libc: "ctypes.CDLL", write: list) -> "tuple[bool, bool]":  # type: ignore[type-arg]
    """Make every mount read-only but the folders to be written, because Landlock lets rights and owners be changed.

    Show the processes of this tree alone, and nothing in /run. Says which of the first two was done.
    """

    def mount(source: str, target: str, kind: "str | None", flags: int) -> bool:
        return bool(libc.mount(source.encode(), target.encode(), kind.encode() if kind else None, flags, None) == 0)

    def set_attributes(target: str, how: int, add: int, take: int) -> bool:
        attr = struct.pack("QQQQ", add, take, 0, 0)
        return bool(libc.syscall(MOUNT_SETATTR, AT_FDCWD, target.encode(), how, attr, len(attr)) == 0)

    if not mount("none", "/", None, MS_REC | MS_PRIVATE):
        return False, False
    listed = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    if not any((path + "/").startswith("/run/") for path in write):
        mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV)
    folders = [path for path in write if os.path.isdir(path)]
    succeeded = all(mount(path, path, None, MS_BIND | MS_REC) for path in folders)
    succeeded = succeeded and set_attributes("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0)
    succeeded = all(set_attributes(path, 0, 0, MOUNT_ATTR_RDONLY) for path in folders) and succeeded
    return succeeded, listed


def _drop_capabilities(libc: "ctypes.CDLL") -> bool:
    """Root without its powers: it cannot set the clock, nor trace, mount or load a module, nor get any of it back.

    First the bounding set, so that becoming another program gives nothing back; then what this process holds.
    """
    for number in range(CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, data = struct.pack("Ii", CAPABILITY_VERSION, 0), struct.pack("IIIIII", *([0] * 6))
    return bool(libc.capset(header, data) == 0)


def _apply_landlock(libc: "ctypes.CDLL", read: list, write: list) -> bool:  # type: ignore[type-arg]
    """Shut every folder but these. False where the kernel has no Landlock."""
    version = libc.syscall(LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << 13) - 1
    handled |= 1 << 13 if version >= 2 else 0
    handled |= 1 << 14 if version >= 3 else 0
    net = 3 if version >= 4 else 0
    attr = struct.pack("QQ", handled, net) if version >= 4 else struct.pack("Q", handled)
    ruleset = libc.syscall(LANDLOCK_CREATE, attr, len(attr), 0)
    if ruleset < 0:
        return False
    for paths, access in ((read, READ), (write, handled)):
        for path in paths:
            try:
                fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            allowed = access if os.path.isdir(path) else access & ((1 << 0) | (1 << 1) | (1 << 2) | (1 << 14))
            rule = struct.pack("=Qi", allowed & handled, fd)
            libc.syscall(LANDLOCK_ADD, ruleset, 1, rule, 0)
            os.close(fd)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    restricted = libc.syscall(LANDLOCK_RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return bool(restricted)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
