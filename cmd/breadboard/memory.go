package main

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
)

// freeMemory returns the bytes that the program may still take: what Linux has, or what the control
// group or GOMEMLIMIT allows. It is infinite if none of them is known.
func freeMemory() float64 {
	free := float64(debug.SetMemoryLimit(-1))
	if free == math.MaxInt64 {
		free = math.Inf(1)
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		var total, unused, available float64
		if n, _ := fmt.Sscanf(string(text), "MemTotal: %f kB\nMemFree: %f kB\nMemAvailable: %f kB", &total,
			&unused, &available); n == 3 {
			free = min(free, 1024*available)
		}
	}
	for _, limit := range []string{
		"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		var most float64
		if text, err := os.ReadFile(limit); err == nil {
			if n, _ := fmt.Sscan(string(text), &most); n == 1 {
				free = min(free, most)
			}
		}
	}
	return free
}
