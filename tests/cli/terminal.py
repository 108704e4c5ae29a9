"""Programs on a pseudo-terminal."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time


class OnTerminal:
    """A program some of whose streams ("stdout", "stderr") are a terminal of so many columns; the others are
    pipes. `shown` is what the terminal got so far."""

    def __init__(self, command, streams, columns=100, cwd=None, **environment):
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        ends = {name: follower if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, cwd=cwd, **ends,
            env={**inherited, "TERM": "xterm", **environment})
        os.close(follower)
        self.shown = ""

    def read_some(self, seconds):
        """Waits for more; False once the other end is closed."""
        if not select.select([self.leader], [], [], seconds)[0]:
            return True
        try:
            block = os.read(self.leader, 65536)
        except OSError:
            return False
        self.shown += block.decode(errors="replace")
        return bool(block)

    def wait_for(self, text, seconds=120):
        """Until the terminal shows the text."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert self.read_some(1), f"ended without {text!r}: {self.shown}"
            assert time.monotonic() < end, f"waited too long for {text!r}: {self.shown}"

    def finish(self, seconds=120):
        """Reads to the end; the exit code, and what came through a pipe."""
        end = time.monotonic() + seconds
        while self.read_some(1):
            assert time.monotonic() < end, self.shown
        os.close(self.leader)
        piped = "".join(stream.read().decode() for stream in (self.process.stdout, self.process.stderr) if stream)
        return self.process.wait(seconds), piped
