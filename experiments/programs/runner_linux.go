package programs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// runner starts a command below a keeper, which ends it with all of its descendants.
type runner struct {
	cmd     *exec.Cmd // the keeper
	control *os.File  // when this is closed, also by the end of this process, the keeper kills the command
	news    *os.File  // the lines that the keeper writes are read from this
	in      *bufio.Reader
	theirs  []*os.File // the keeper's ends of both pipes
}

// patience is the time that a keeper may take to start or to end a command. It needs some
// milliseconds; after this time it is assumed to have been stopped from outside.
const patience = 20 * time.Second

func newRunner(words []string) (*runner, error) {
	if err := ownProc(); err != nil {
		return nil, err
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, err
	}
	orders, control, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	news, voice, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, orders.Close(), control.Close())
	}
	r := &runner{
		cmd: exec.Command("/proc/self/exe"), control: control, news: news,
		in: bufio.NewReader(io.LimitReader(news, 1<<12)), theirs: []*os.File{orders, voice},
	}
	r.cmd.Args = append([]string{keeperName, path}, words...)
	r.cmd.ExtraFiles = r.theirs                             // these become descriptors 3 and 4
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that Ctrl-C does not reach the keeper
	return r, nil
}

// discard closes what newRunner has opened. It is called if nothing has been started.
func (r *runner) discard() {
	for _, f := range append(r.theirs, r.control, r.news) {
		f.Close()
	}
}

func (r *runner) start() error {
	err := r.cmd.Start()
	for _, f := range r.theirs {
		f.Close()
	}
	if err != nil {
		r.control.Close()
		r.news.Close()
		return fmt.Errorf("starting its keeper: %w", err)
	}
	_ = r.news.SetReadDeadline(time.Now().Add(patience)) // this cannot fail on a pipe
	line, err := r.in.ReadString('\n')
	line = strings.TrimSpace(line)
	if err == nil && line == started {
		return nil
	}
	if err == nil {
		err = errors.New(line)
	} else {
		err = fmt.Errorf("its keeper does not answer: %w", err)
	}
	r.end()
	return err
}

// end has the keeper kill the command and all of its descendants, and waits until that is done. It
// returns how the command ended, where it ended by itself and failed; else the text is empty.
func (r *runner) end() string {
	r.control.Close()
	ended := make(chan struct{})
	awake := make(chan struct{})
	go func() { defer close(awake); r.wake(ended) }()
	_ = r.news.SetReadDeadline(time.Now().Add(patience))
	last, err := io.ReadAll(r.in) // this returns when the keeper has ended
	close(ended)
	<-awake
	if err != nil { // the command has stopped the keeper again and again, faster than wake wakes it
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
	}
	r.news.Close()
	_ = r.cmd.Wait() // the error says nothing; the last line of the keeper says how the command ended
	return strings.TrimSpace(string(last))
}

// wake wakes the keeper, which the command may stop again and again, until it has ended.
func (r *runner) wake(ended <-chan struct{}) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		// the keeper is not waited for yet, so the number is still its own
		_ = syscall.Kill(r.cmd.Process.Pid, syscall.SIGCONT)
		select {
		case <-ended:
			return
		case <-tick.C:
		}
	}
}
