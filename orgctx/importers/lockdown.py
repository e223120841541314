"""Limit this process by means of Linux, which bind native code too: Landlock and seccomp.

Landlock limits what files a process can open, seccomp what it can ask the kernel. Both hold until
the process and its children end. Not every kernel has them.
"""

import ctypes
import os
import platform
import struct
import sys
from signal import SIGKILL

IS_LINUX = sys.platform == "linux"
PARENT_DEATH_SIGNAL, NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 1, 38, 22, 2  # of prctl
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
# Rights of Landlock, by the version that knows them all; older ones know fewer.
READ_FILE, READ_DIR, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # bits; later versions have 16
TCP, SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals
# Calls that reach other processes, networks or devices, leave the group of the process, or change
# what Landlock does not cover.
# Numbers of x86_64 and of aarch64, which lacks the older ones.
CALLS = {
    "x86_64": (0xC000003E, (
        41, 42, 43, 44, 49, 50, 53, 59, 62, 90, 92, 94, 101, 109, 112, 132, 133, 155, 161, 165, 166,
        188, 189, 197, 200, 235, 246, 248, 249, 250, 259, 260, 261, 268, 272, 280, 288, 298, 308,
        310, 311, 320, 321, 322, 323, 424, 425, 434, 438, 452,
    )),
    "aarch64": (0xC00000B7, (
        5, 6, 14, 33, 39, 40, 41, 51, 53, 54, 88, 97, 104, 117, 129, 130, 154, 157, 198, 199, 200,
        201, 202, 203, 206, 217, 218, 219, 221, 241, 242, 268, 270, 271, 280, 281, 282, 424, 425,
        434, 438, 452,
    )),
}  # fmt: skip
# Steps of a filter: load a word, compare, return. Offsets are those of struct seccomp_data.
LOAD, EQUALS, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE = 0, 4
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000  # REFUSE: with EPERM
OTHER_ABI = 0x40000000  # x32, whose calls have other numbers
# What a program reads: its code and time zones.
PROGRAM = ("/usr", "/lib", "/lib64", "/dev/urandom", "/etc/ld.so.cache")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _landlock() -> int:
    """Return the version of Landlock; 0 if the kernel lacks it."""
    return max(_libc().syscall(CREATE_RULESET, None, 0, VERSION), 0) if IS_LINUX else 0


def lacking() -> list[str]:
    means = {"Landlock": _landlock() > 0, "seccomp": IS_LINUX and platform.machine() in CALLS}
    return [name for name, is_there in means.items() if not is_there]


def end_with(parent: int) -> None:
    """Let this process be killed when the thread of its parent that started it ends."""
    if IS_LINUX:
        _check(_libc().prctl(PARENT_DEATH_SIGNAL, SIGKILL, 0, 0, 0))
    if os.getppid() != parent:  # which ended before
        sys.exit(1)


def restrict() -> None:
    """Let this process read only the program, and what is open. Raises OSError if the kernel has a
    means, but refuses it."""
    libc = _libc()
    if IS_LINUX:
        _check(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if version := _landlock():
        handled = (1 << RIGHTS.get(version, 16)) - 1
        values = (handled, TCP if version >= 4 else 0, SCOPES if version >= 6 else 0)
        size = 24 if version >= 6 else 16 if version >= 4 else 8
        rules = libc.syscall(CREATE_RULESET, struct.pack("QQQ", *values), size, 0)
        _check(rules)
        for path in {sys.prefix, sys.base_prefix, *filter(os.path.isabs, sys.path), *PROGRAM}:
            _allow(libc, rules, path, READ_FILE | READ_DIR)
        _allow(libc, rules, os.devnull, READ_FILE | WRITE_FILE)
        _check(libc.syscall(RESTRICT_SELF, rules, 0))
        os.close(rules)
    if IS_LINUX and platform.machine() in CALLS:
        _check(libc.prctl(SET_SECCOMP, FILTER, _program(*CALLS[platform.machine()]), 0, 0))


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    """Add a rule for a path; one that is missing needs none."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rights &= ~0 if os.path.isdir(path) else ~READ_DIR
    rule = struct.pack("=Qi", rights, descriptor)
    _check(libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0))
    os.close(descriptor)


def _program(architecture: int, calls: tuple[int, ...]) -> ctypes.Array[ctypes.c_char]:
    """Return a filter that refuses some calls. Jumps count the steps to skip."""
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUALS, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, len(calls) + 1, 0, OTHER_ABI),
        *((EQUALS, len(calls) - place, 0, call) for place, call in enumerate(calls)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    content = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    head = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(content))
    program = ctypes.create_string_buffer(head)
    program.steps = content  # type: ignore[attr-defined]
    return program


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the sandbox cannot start: {os.strerror(number)}")
