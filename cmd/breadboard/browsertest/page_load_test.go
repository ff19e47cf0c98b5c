package browsertest

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"breadboard/grid/longtest"
)

// TestPageUnderLoad: while many others ask at once, and afterwards, the page goes on. What they are answered, and that the memory for it is
// given back, is tested with the command serve itself.
func TestPageUnderLoad(t *testing.T) {
	longtest.Only(t) // TestServeUnderLoad asks the server alone in every run
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, serveAlone(t)}
	b.visit(smallBench)
	b.settled("gap", "frames", "spectrum")
	var group sync.WaitGroup
	for k := range longtest.Times(20, 200) {
		group.Go(func() {
			r, err := http.Get(fmt.Sprintf("%sapi/gap?toy=easy&T=%d", b.address, 300+k))
			if err != nil {
				t.Error(err)
				return
			}
			r.Body.Close()
		})
	}
	b.fill("control-T", "13")
	b.solved()
	group.Wait()
	b.fill("control-T", "14")
	b.solved()
	b.settled("gap", "frames", "spectrum")
	b.quiet("429")
}
