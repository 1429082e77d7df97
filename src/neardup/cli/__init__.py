"""The command line. `app` has the commands, `options` what they share, `terminal` all output."""
