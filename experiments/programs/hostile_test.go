package programs

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// hostileHello is what a hostile program does before it says hello.
func hostileHello(kind string) {
	switch kind {
	case "flood":
		for {
			fmt.Println(`{"uniform":1}`)
		}
	case "deep":
		fmt.Println(strings.Repeat(`{"kernel":[`, 500_000))
	case "hellos":
		fmt.Println(`{"kernel":"x","mode":"choose"}`) // so that the next one answers the first request
		go func() {
			for {
				fmt.Println(`{"kernel":"x","mode":"choose"}`)
			}
		}()
	case "stderr":
		go func() {
			noise := []byte(strings.Repeat("noise ", 1<<16))
			for {
				_, _ = os.Stderr.Write(noise)
			}
		}()
	}
}

// hostileAbort is what a hostile program does instead of giving up a move.
func hostileAbort(kind string) {
	switch kind {
	case "coins-die", "geometric-die":
		os.Exit(1)
	case "coins-again":
		fmt.Println(`{"flip":0.5}`)
		time.Sleep(time.Hour)
	}
}

// hostileMove is what a hostile program does instead of a move, and false if it moves as others
// do.
func hostileMove(kind string, say func(any), ask func(any) int, x int) bool {
	switch name, _, _ := strings.Cut(kind, "-"); name {
	case "coins":
		for {
			ask(map[string]float64{"flip": 0.5})
		}
	case "geometric":
		for ask(map[string]float64{"flip": 0.5}) == 0 {
		}
		say(map[string]int{"state": x})
		return true
	case "ones": // a loop that is never unlikely
		for {
			ask(map[string]float64{"flip": 1})
		}
	case "long":
		p := make([]float64, 500_000)
		for i := range p {
			p[i] = 1.0 / 500_000
		}
		ask(map[string]any{"choose": p})
	case "many":
		ask(map[string]int{"uniform": math.MaxInt32})
	case "wide": // few enough outcomes, and long lines
		p := make([]float64, 50_000)
		for i := range p {
			p[i] = 1.0 / 50_000
		}
		ask(map[string]any{"choose": p})
	case "padded":
		for {
			fmt.Println(`{"choose":[` + strings.Repeat(" ", 1_000_000))
			_ = ask(nil)
		}
	case "spaces": // a loop in lines of a megabyte
		for {
			fmt.Print(strings.Repeat(" ", 1_000_000))
			ask(map[string]any{"choose": []float64{0.5, 0.5}})
		}
	case "nan":
		ask(map[string]string{"flip": "NaN"})
	case "negative":
		ask(map[string]int{"uniform": -1})
	case "dies":
		say(map[string]int{"state": x})
		os.Exit(5)
	case "slow":
		time.Sleep(50 * time.Millisecond)
	case "shut":
		os.Stdin.Close()
		say(map[string]float64{"flip": 0.5})
		time.Sleep(time.Hour)
	}
	return false
}

// TestHostilePrograms: each is refused, whatever the caller does to know all of its moves, and the
// message names the program, the state if there is one, and a cure.
func TestHostilePrograms(t *testing.T) {
	for kind, want := range map[string]string{
		"flood":       "asked for its first line: its line",
		"deep":        "asked for its first line: its line",
		"hellos":      "asked to take a distribution: its line",
		"coins":       "from state 0 it asked for 100000 choices",
		"coins-die":   "from state 0 it had to be restarted 64 times",
		"coins-again": "from state 0 it had to be restarted 64 times",
		"ones":        "for a move from state 0: more than 4096 choices",
		"long":        "for a move from state 0: a choice of 500000 outcomes, and the limit is 100000",
		"many":        "for a move from state 0: a choice of 2147483647 outcomes",
		"wide":        "for a move from state 0: a choice of 50000 outcomes in a line of",
		"padded":      "for a move from state 0: its line",
		"spaces":      "from state 0 it sent 128 MB",
		"nan":         "for a move from state 0: its line",
		"negative":    "at least 1",
		"dies":        "for a move from state 1",
		"slow":        "from state 0 it took",
		"shut":        "for a move from state 0: it",
	} {
		t.Run(kind, func(t *testing.T) {
			if !slices.Contains([]string{"nan", "dies", "slow"}, kind) {
				longtest.Only(t) // each is another process
			}
			t.Parallel()
			err := everyRow(t, kind)
			if err == nil || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), os.Args[0]+" program "+kind) {
				t.Errorf("error %v, want one with %q", err, want)
			}
			if err != nil && strings.Contains(err.Error(), "panicked") {
				// that is how we hear of it, and not what the program did
				t.Errorf("error %v", err)
			}
		})
	}
}

// everyRow walks through all moves from every state. A program that is slow may take 200 ms for a
// state, and whatever it likes in all and for a reply, so that it is the first that it is refused
// for however busy the machine is.
func everyRow(t *testing.T, kind string) error {
	k, err := start(t, kind, longtest.Patience)
	if err != nil {
		return err
	}
	logf := []float64{0, 1, math.Inf(-1), 0.5}
	spend(k, logf, 0)
	if kind == "slow" {
		k.deadline = 50 * time.Millisecond
		k.meter.waited = -time.Hour
		k.account.begun.waited = k.meter.waited
	}
	for x := range 4 {
		if _, _, err := kernel.Row(context.Background(), k, logf, x); err != nil {
			return err
		}
	}
	return nil
}

// spend opens the account of a state as if most of what a program may cost there were spent
// already: 5,000 choices are left, 8 MB and 4 new starts. With -long all is left, which takes some
// seconds.
func spend(k *Program, logf []float64, x int) {
	k.account.openState(logf, fmt.Sprintf("state %d", x), k.meter)
	if !longtest.More() {
		k.account.begun.choices -= maxWalked - 5000
		k.account.begun.said -= maxSaid - 8_000_000
		k.account.begun.restarts -= maxRestarts - 4
	}
}

// TestNoise: a program may write to standard error what it likes, without end.
func TestNoise(t *testing.T) {
	if err := everyRow(t, "stderr"); err != nil {
		t.Error(err)
	}
}

// TestLoopsWithoutAbort: a right program with loops that have no end, and that does not know abort,
// is started again as often as it takes, and has the row of the same kernel in Go.
func TestLoopsWithoutAbort(t *testing.T) {
	longtest.Only(t)
	k := longtest.Must(start(t, "geometric-die", longtest.Patience))(t)
	for x := range 4 {
		row, remainder, err := kernel.Row(context.Background(), k, []float64{0, 1, 2, 3}, x)
		longtest.NoError(t, err)
		if len(row) != 1 || row[0].To != x || math.Abs(row[0].P+remainder-1) > 1e-15 || remainder <= 0 ||
			remainder > 1e-15 {
			t.Errorf("row %v, remainder %v", row, remainder)
		}
	}
	if k.meter.restarts != 8 {
		t.Errorf("started again %d times, want twice a state: for the coin that is too unlikely and for "+
			"what follows it",
			k.meter.restarts)
	}
}

// TestClaimsOfNewStarts: a program that is started again and then says something else of whether it
// is reversible is refused.
func TestClaimsOfNewStarts(t *testing.T) {
	longtest.Only(t)
	k := longtest.Must(start(t, "geometric-die@"+filepath.Join(t.TempDir(), "started"), longtest.Patience))(t)
	if reversible, said := k.Reversible(); !reversible || !said {
		t.Fatalf("it says reversible: %v, %v", reversible, said)
	}
	_, _, err := kernel.Row(context.Background(), k, []float64{0, 1, 2, 3}, 0)
	longtest.Refused(t, err, "after a restart it declares its reversibility differently")
}

// TestProtocolLimits: the numbers that PROTOCOL.md promises are those of the program.
func TestProtocolLimits(t *testing.T) {
	page := longtest.Must(os.ReadFile("PROTOCOL.md"))(t)
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, want := range []string{
		fmt.Sprintf("| bytes of a line | %d |", maxLine),
		fmt.Sprintf("| time for the first line, with what a program loads before it | %v | | time for a reply | %v |",
			startReplies*DefaultDeadline, DefaultDeadline),
		fmt.Sprintf("| choices of a move | %d |", chains.MaxChoices),
		fmt.Sprintf("| outcomes of a choice that are possible | %d |", maxWalked),
		fmt.Sprintf("| those outcomes times the bytes of the line | %d |", maxSaid),
		fmt.Sprintf("| choices, all moves from one state together | %d |", maxWalked),
		fmt.Sprintf("| bytes of lines, all moves from one state together | %d |", maxSaid),
		fmt.Sprintf("| new starts, all moves from one state together | %d |", maxRestarts),
		fmt.Sprintf("| time, all moves from one state together | %v |", stateReplies*DefaultDeadline),
		fmt.Sprintf("| time in all | %v, and %v a line, %v a move of mode sample, and %v a whole distribution |",
			slackReplies*DefaultDeadline, perLine, perMove, perWhole),
		fmt.Sprintf("| bytes of a line | %d | | time for the first line | %v | | time for a batch | %v |",
			maxBatchLine, BatchDeadline, BatchDeadline),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("PROTOCOL.md does not say %q", want)
		}
	}
}
