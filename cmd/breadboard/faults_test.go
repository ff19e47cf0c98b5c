package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestExitCodesOfStudies: a study ends with exit code 1 if a check failed, and with 2 where its
// question cannot be answered.
func TestExitCodesOfStudies(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	target := filepath.Join(dir, "g.csv")
	half := strings.Repeat("0.5000000000000000,0.5000000000000000\n", 2)
	for name, text := range map[string]string{"g.csv": "0,1\n", "k2.csv": half, "k3.csv": half} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	wrongKernel := []string{"--toy", "file:" + target, "-T", "3", "--kernel", "matrix:" + filepath.Join(dir, "k{t}.csv")}
	for _, study := range []string{"tightness", "gap", "subjective", "weights", "weights --samples 3", "aide", "aide --target mh:2",
		"aide --target smc:2", "ais --chains 100"} {
		if code, _, stderr := command(t, append(strings.Fields(study), wrongKernel...)...); code != exitFault {
			t.Errorf("%s with a kernel that is wrong: exit code %d, %s", study, code, stderr)
		}
	}
	for _, study := range []string{
		"schedule optimize --toy random:0:1 -T 3", // nothing to gain
		"schedule optimize --toy random:500:1 -T 5",
		"subjective --toy random:20000:1",
		"gap --toy random:20000:1",
		"weights --toy random:20000:1 --samples 1",
	} {
		if code, stdout, stderr := command(t, strings.Fields(study)...); code != exitBadInput || stdout != "" {
			t.Errorf("%s: exit code %d, %s", study, code, stderr)
		}
	}
	ends := filepath.Join(dir, "ends")
	longtest.NoError(t, os.WriteFile(ends, []byte("#!/bin/sh\necho '{\"kernel\":\"ends at once\",\"mode\":\"choose\"}'\n"), 0o700))
	for _, study := range []string{
		"tightness --kernel", "ais --chains 100 --kernel", "schedule compare --kernel",
		"schedule optimize --kernel", "kernel check",
	} {
		for program, want := range map[string]struct {
			code int
			says string
		}{
			"exec:" + ends: {exitFault, ""}, "exec:false": {exitBadInput, "before its first line"}, "exec:/no/such/program": {exitBadInput, "check the path"},
		} {
			code, _, stderr := command(t, append(strings.Fields(study), program, "--toy", "random:2:0:2x2", "-T", "3")...)
			if code != want.code || !strings.Contains(stderr, want.says) {
				t.Errorf("%s %s: exit code %d, want %d: %s", study, program, code, want.code, stderr)
			}
		}
	}
	says(t, exitFault, "no verdict on the kernel", "kernel", "check", "exec:"+ends, "--toy", "random:2:0:2x2")
	for want, err := range map[int]error{
		exitFault:    fmt.Errorf("toy x: %w", chains.NewFault(errors.New("wrong"))),
		exitBadInput: errors.New("it cannot be known"),
	} {
		if f, ok := errors.AsType[failure](studyFailure(err)); !ok || f.code != want {
			t.Errorf("%v: %+v, want exit code %d", err, f, want)
		}
	}
	if studyFailure(nil) != nil {
		t.Error("nothing is a failure")
	}
}

// TestScheduleOfAWrongProgram: a program that breaks invariance is at fault also if a schedule is
// placed by it.
func TestScheduleOfAWrongProgram(t *testing.T) {
	longtest.Only(t)
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh here")
	}
	script := filepath.Join(t.TempDir(), "kernel")
	text := `#!/bin/sh
echo '{"kernel":"always to state 0","mode":"choose"}'
while read -r line; do
  id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case "$line" in
  *logf*) echo "{\"ready\":true,\"id\":$id}" ;;
  *) echo "{\"state\":0,\"id\":$id}" ;;
  esac
done
`
	longtest.NoError(t, os.WriteFile(script, []byte(text), 0o700))
	says(t, exitFault, "does not leave the distribution invariant", "tightness", "--toy", "random:2:0:2x2", "-T", "3", "--schedule", "friction",
		"--kernel", "exec:"+script)
}

// TestExitCodesOfHelp: help and completions that cannot be written are failures of writing, and a
// shell that is not known is bad input.
func TestExitCodesOfHelp(t *testing.T) {
	longtest.Only(t)
	for _, line := range []string{"", "help", "--help", "kernel check --help", "help kernel check", "sweep", "completion",
		"completion bash", "completion zsh", "completion fish", "completion powershell"} {
		var errs strings.Builder
		if code := run(context.Background(), strings.Fields(line), full{}, &errs); code != exitIO || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q to a full disk: exit code %d, %s", line, code, errs.String())
		}
		if code, stdout, stderr := command(t, strings.Fields(line)...); code != exitDone || stdout == "" || stderr != "" {
			t.Errorf("%q: exit code %d, %d bytes, %s", line, code, len(stdout), stderr)
		}
	}
	for _, line := range []string{"completion foo", "completion bash foo"} {
		refuses(t, "foo", strings.Fields(line)...)
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
