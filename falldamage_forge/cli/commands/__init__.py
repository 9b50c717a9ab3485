"""Commands: each module is named like its command and defines `command`."""
