package main

import (
	"bufio"
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestEstimatesOfMeasuredCommands: what a command is estimated to take is within a factor of three
// of the CPU seconds that testdata/estimates.txt has for it, if either is above a second. Nothing
// is run: a limit of a millisecond refuses each command, and the refusal has the estimate. The
// clock decides nothing.
func TestEstimatesOfMeasuredCommands(t *testing.T) {
	file := longtest.Must(os.Open("testdata/estimates.txt"))(t)
	defer file.Close()
	said := regexp.MustCompile(`would take about (\S+) on one core`)
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		seconds, command, is := strings.Cut(lines.Text(), "\t")
		if !is {
			continue // a comment
		}
		count++
		measured := longtest.Must(strconv.ParseFloat(seconds, 64))(t)
		var out, errs strings.Builder
		run(context.Background(), append(strings.Fields(command), "--time", "1ms"), &out, &errs)
		found := said.FindStringSubmatch(errs.String())
		if found == nil {
			t.Errorf("%s: no estimate in %s", command, errs.String())
			continue
		}
		estimate := longtest.Must(time.ParseDuration(found[1]))(t).Seconds()
		if max(estimate, measured) > 1 && (estimate > 3*measured || measured > 3*estimate) {
			t.Errorf("%s: estimated %v s, measured %v s", command, estimate, measured)
		}
	}
	if count < 40 {
		t.Errorf("%d commands; want 40 or more", count)
	}
}
