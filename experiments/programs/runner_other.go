//go:build !linux

package programs

import (
	"os/exec"
	"strings"
)

// runner starts a command and ends it, together with its process group where the system has process
// groups. Processes that have left the group go on.
type runner struct{ cmd *exec.Cmd }

func newRunner(words []string) (*runner, error) {
	r := &runner{exec.Command(words[0], words[1:]...)}
	ownGroup(r.cmd)
	return r, nil
}

// discard does nothing, because newRunner has opened nothing.
func (r *runner) discard() {}

func (r *runner) start() error { return r.cmd.Start() }

// end kills the command and waits for it. It returns how the command ended, where it ended by
// itself and failed; else the text is empty.
func (r *runner) end() string {
	killGroup(r.cmd)
	if err := r.cmd.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
		return err.Error()
	}
	return ""
}
