package sweep

import (
	"syscall"
	"time"
)

// processorTime returns how long the processors have worked for this process.
func processorTime() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(process, &created, &exited, &kernel, &user)
	}
	if err != nil {
		panic(err) // the arguments are right
	}
	ticks := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
