package programs

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestPrinter: what a program prints is read as it comes; one that fails, that says nothing or that
// hangs is an error.
func TestPrinter(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo a; echo b":           "",
		"echo a; exit 3":           "it failed (exit status 3)",
		"exit 3":                   "before its first line",
		"echo a; sleep 1000":       "it has printed nothing for",
		"while :; do echo a; done": "endless",
	} {
		if want == "" && !longtest.Enabled() {
			continue // each is another process
		}
		deadline := longtest.Patience
		if strings.Contains(script, "sleep") {
			deadline = 100 * time.Millisecond // it falls silent, be it before its first line
		}
		programs := NewPrograms(t.Context(), deadline)
		p := longtest.Must(programs.StartPrinter([]string{"sh", "-c", script}))(t)
		in := bufio.NewReader(p)
		lines := 0
		var err error
		for ; err == nil && lines < 1000; lines++ {
			_, err = in.ReadString('\n')
		}
		switch {
		case want == "" && err != io.EOF, want == "endless" && err != nil:
			t.Errorf("%s: %v", script, err)
		case want != "" && want != "endless" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", script, err)
		}
		programs.Close()
	}
}
