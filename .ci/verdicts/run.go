package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// The verdicts of a command. One that says neither what a check of breadboard says of right code
// nor what it says of a fault is broken.
const (
	pass   = "pass"
	fault  = "fault"
	broken = "broken"
)

// outcome is what a command came to, and after how many draws, estimates or branches, as in "512
// draws".
type outcome struct{ verdict, after string }

var (
	passes = regexp.MustCompile(
		`(?m)^pass: |\? pass$|\bno fault was found\b|represent the target\? yes|[1-9]\d* pass, 0 fault|^\d+ branches$`,
	)
	faults = regexp.MustCompile(`(?m)^fault: |\? fault$|\ba fault was found\b|represent the target\? no|[1-9]\d* ` +
		`fault|breadboard/\w+\.py", line \d+, in assert_`)
	found   = regexp.MustCompile(`found after (\d+ \w+)`)
	counted = regexp.MustCompile(`\b(\d+ (?:draws|estimates|runs|branches))\b`)
)

// judge reads the verdict from what a command of breadboard, or a program in Python that calls its
// assertions, has printed.
func judge(output string, code int) outcome {
	o := outcome{broken, "-"}
	switch {
	case code == 0 && passes.MatchString(output):
		o.verdict = pass
	case code == 1 && faults.MatchString(output):
		o.verdict = fault
	}
	for _, pattern := range []*regexp.Regexp{counted, found} {
		if match := pattern.FindStringSubmatch(output); match != nil {
			o.after = match[1]
		}
	}
	return o
}

// place is where commands run: with these variables, and each for so long at most.
type place struct {
	environment []string
	limit       time.Duration
}

// runLine runs a line of bash in a folder, with a number in the place of SEED and an empty folder
// as $WORK, and ends all that it has started.
func (p place) runLine(ctx context.Context, dir, line, seed string) (output string, code int, err error) {
	work, err := os.MkdirTemp("", "published-")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(work)
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", strings.ReplaceAll(line, "SEED", seed))
	c.Dir, c.Env = dir, append(p.environment, "WORK="+work)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	text, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return string(text) + "\nended after " + p.limit.String(), -1, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(text), exit.ExitCode(), nil
	}
	return string(text), 0, err
}
