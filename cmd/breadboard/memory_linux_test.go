package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestNetworkMemory: an elimination that keeps some of its tables stays within --memory. It takes
// 125 MB where what is not needed any more is left to the runtime, and 85 else.
func TestNetworkMemory(t *testing.T) {
	longtest.Only(t)
	if *another != "" {
		t.Skip("an emulator has addresses of its own")
	}
	if built, is := debug.ReadBuildInfo(); is &&
		slices.Contains(built.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector reserves more addresses than this")
	}
	const megabytes = 115
	c := child(t, "network", "ising:18x18:0.3", "--memory", fmt.Sprintf("%dMB", megabytes))
	longtest.NoError(t, c.Start())
	done := make(chan error)
	most := 0
	go func() { done <- c.Wait() }()
	for {
		select {
		case err := <-done:
			longtest.NoError(t, err)
			if most > megabytes || most < megabytes/2 {
				t.Errorf("%d MB of %d", most, megabytes)
			}
			return
		default: // Maxrss of the process has that of its parent
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
			if _, rest, is := strings.Cut(string(status), "VmHWM:"); is {
				kilobytes := longtest.Must(strconv.Atoi(strings.Fields(rest)[0]))(t)
				most = max(most, kilobytes*1024/1e6)
			}
			time.Sleep(time.Millisecond) // the high water mark stays until the process ends
		}
	}
}

// TestMoreMemoryThanFree: --memory is refused if the machine has less.
func TestMoreMemoryThanFree(t *testing.T) {
	if code, _, errs := command(t, "network", "ising:3x3:0.3", "--memory", "1000TB"); code != exitBadInput ||
		!strings.Contains(errs, "GB are free here") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}
