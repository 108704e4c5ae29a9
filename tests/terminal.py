"""A program on a terminal of the test's own: what it shows there tells how far it is, so that a test can wait for that
instead of for a time."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import tty

# Against tests that hang, not against slow machines.
GUARD_SECONDS = 300


def wait_for(condition, what="waited too long"):
    """Until condition() holds."""
    end = time.monotonic() + GUARD_SECONDS
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


class OnTerminal:
    """A running program whose standard error, or another stream, is a terminal. The other of the two goes to a file, so
    that the program never waits for the test."""

    def __init__(self, command, columns=100, cwd=None, stream="stderr", **environment):
        self._output = tempfile.TemporaryFile("w+")
        self._leader, follower = pty.openpty()
        tty.setraw(follower)  # line ends stay what they are
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        streams = {"stdout": self._output, "stderr": self._output, stream: follower}
        self.process = subprocess.Popen(
            list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL, **streams,
            env={**inherited, "TERM": "xterm", **environment})
        os.close(follower)
        self._closed = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a block may end within a letter
        self.shown = ""

    def wait_for(self, pattern):
        """Until what was shown matches the pattern."""
        while not re.search(pattern, self.shown):
            assert self._read(), f"ended without showing '{pattern}': {self.shown!r}"
        return self

    def end(self, number=None):
        """Sends a signal, if there is one, and waits for the end: gives the exit code, what went to the file (standard
        output, unless that is the terminal), and what came on the terminal after the bar."""
        if number is not None:
            self.process.send_signal(number)
        while self._read():
            pass
        code = self.process.wait(GUARD_SECONDS)
        self._output.seek(0)
        output = self._output.read()
        self._output.close()
        return code, output, self.shown.rsplit("\x1b[K", 1)[-1]

    def stop(self):
        """Stops the program where it is; signals wait until SIGCONT, which end() sends."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)

    def kill(self):
        """At the end of a test, whatever happened in it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._close()

    def lines(self):
        """What each redrawing of the bar showed."""
        plain = re.sub(r"\x1b\[[0-9]*[mK]", "", self.shown)
        return [line for line in plain.split("\r") if line]

    def _read(self):
        """Something more of what is shown; False at its end."""
        if self._closed:
            return False
        ready, _, _ = select.select([self._leader], [], [], GUARD_SECONDS)
        assert ready, f"nothing new on the terminal: {self.shown!r}"
        try:
            block = os.read(self._leader, 65536)
        except OSError:  # the other end is closed
            block = b""
        self.shown += self._decoder.decode(block)
        if not block:
            self._close()
        return bool(block)

    def _close(self):
        if not self._closed:
            self._closed = True
            os.close(self._leader)
