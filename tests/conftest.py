"""What all tests share: helpers such as `tiny` are imported by their bare names."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# In the background of a shell Ctrl-C is ignored, by children too; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
