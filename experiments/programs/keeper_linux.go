package programs

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"breadboard/chains/errs"

	"golang.org/x/sys/unix"
)

// A keeper is a process between this process and a command: this same binary, started anew under
// the name keeperName. It is a child subreaper, so that descendants of the command whose parents
// have died become its children, whatever sessions and groups they have made. When its descriptor 3
// is closed it kills all of its children until there are none. The system closes that descriptor
// when this process dies, in whatever way. Each command has its own keeper: so the descendants of
// one command are never confused with those of another, or with other children of the process that
// uses this package.
const keeperName = "breadboard-keeper"

// started is the line that the keeper writes to descriptor 4 when the command runs. If it cannot be
// started the line says why.
const started = "started"

// init turns a process that was started as a keeper into one, before it does anything else.
func init() {
	if len(os.Args) > 2 && os.Args[0] == keeperName {
		keep(os.Args[1], os.Args[2:])
		os.Exit(0)
	}
}

// keeper is the state of a keeper process.
type keeper struct {
	// held while a child is reaped, so that kill never uses the number of a child that is gone
	reaping sync.Mutex
	command int // the process number of the command
	status  chan syscall.WaitStatus
	alone   chan struct{} // closed when no child is left
}

// keep runs a command until the keeper's descriptor 3 is closed. It must be called on the main
// thread, which never ends, because the system kills the command when the thread that started it
// ends; this also happens when the keeper itself is killed.
func keep(path string, args []string) {
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	orders := os.NewFile(3, "orders")
	voice := os.NewFile(4, "voice")
	// Signals that the command or its terminal may send are received and dropped. They are not set
	// to be ignored, because the command would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGTSTP, syscall.SIGTTIN,
		syscall.SIGTTOU, syscall.SIGPIPE)
	k := &keeper{status: make(chan syscall.WaitStatus, 1), alone: make(chan struct{})}
	if err := k.startCommand(path, args); err != nil {
		fmt.Fprintln(voice, err)
		return
	}
	fmt.Fprintln(voice, started)
	go k.reap()
	_, _ = orders.Read(make([]byte, 1)) // this returns when the descriptor is closed
	select {
	case s := <-k.status: // the command has ended by itself
		fmt.Fprintln(voice, howItEnded(s))
		k.kill()
		return
	default:
		k.kill()
	}
	select {
	case s := <-k.status:
		if s.Signal() != syscall.SIGKILL { // the command ended at the same moment, before it was killed
			fmt.Fprintln(voice, howItEnded(s))
		}
	default:
	}
}

// startCommand starts the command with the standard input, output and error of the keeper, and
// closes them in the keeper.
func (k *keeper) startCommand(path string, args []string) (err error) {
	err = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	if err != nil {
		return fmt.Errorf("becoming a subreaper: %w", err)
	}
	k.command, err = syscall.ForkExec(path, args, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return fmt.Errorf("fork/exec %s: %w", path, err)
	}
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	for fd := range 3 {
		if err := unix.Dup3(null, fd, 0); err != nil {
			return err
		}
	}
	return nil
}

// reap waits for children of the keeper, its own and adopted ones, until there are none.
func (k *keeper) reap() {
	defer close(k.alone)
	for {
		if err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT, nil); err == unix.EINTR {
			continue
		}
		k.reaping.Lock()
		var s syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &s, syscall.WNOHANG, nil)
		k.reaping.Unlock()
		if err == syscall.ECHILD {
			return
		}
		if pid == k.command && (s.Exited() || s.Signaled()) {
			k.status <- s
		}
	}
}

// maxKilling bounds the time for which the keeper tries to kill its children. It may never finish:
// children that run as other users cannot be killed, and some start new ones as fast as the old
// ones are killed.
const maxKilling = 10 * time.Second

// kill kills the keeper's children until there are none. When a child dies its own children become
// children of the keeper.
func (k *keeper) kill() {
	for begin, pause := time.Now(), time.Duration(0); time.Since(begin) < maxKilling; pause = min(
		pause+100*time.Microsecond,
		5*time.Millisecond,
	) {
		k.reaping.Lock()
		for _, pid := range children() {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		k.reaping.Unlock()
		select {
		case <-k.alone:
			return
		case <-time.After(pause):
		}
	}
}

// ownProc fails if /proc does not show processes by the numbers that they have for this process. A
// PID namespace that was made without a /proc of its own still has that of its parent, where the
// number of this process belongs to another one.
func ownProc() error {
	self, err := os.Readlink("/proc/self")
	if err == nil && self == strconv.Itoa(os.Getpid()) {
		return nil
	}
	const cure = "ending programs with all their children needs the /proc of the own PID namespace: mount " +
		"it (mount -t proc proc /proc; unshare has --mount-proc for it)"
	if err != nil {
		return errs.New("/proc is not there (%w); %s", err, cure)
	}
	return errs.New("/proc belongs to another PID namespace: it has process %s instead of %d; %s", self,
		os.Getpid(), cure)
}

// children returns the process numbers of the keeper's children, and none where /proc does not list
// them.
func children() (pids []int) {
	if ownProc() != nil {
		return nil
	}
	me := os.Getpid()
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", me))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, number := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(number); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	if len(lists) > 0 {
		return pids
	}
	// On a system without these lists the parent of every process is read, in the second field
	// after the process's name.
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range all {
		text, _ := os.ReadFile(stat)
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat))); err == nil && len(fields) > 1 &&
			fields[1] == strconv.Itoa(me) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// howItEnded says by which signal or with which exit status a command ended; it is empty for a
// command that succeeded.
func howItEnded(s syscall.WaitStatus) string {
	switch {
	case s.Signaled():
		return "signal: " + s.Signal().String()
	case s.ExitStatus() != 0:
		return fmt.Sprintf("exit status %d", s.ExitStatus())
	}
	return ""
}
