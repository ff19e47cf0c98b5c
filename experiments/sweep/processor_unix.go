//go:build unix

package sweep

import (
	"syscall"
	"time"
)

// processorTime returns how long the processors have worked for this process.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
