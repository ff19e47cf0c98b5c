package main

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"breadboard/grid/longtest"
)

// askedOnce returns the status of an answer, and fails where there is none or one that says nothing.
func askedOnce(client *http.Client, address string) (int, error) {
	r, err := client.Get(address)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && len(body) == 0 {
		err = fmt.Errorf("%s without a body", r.Status)
	}
	return r.StatusCode, err
}

// living returns the bytes that are still in use.
func living() uint64 {
	runtime.GC()
	runtime.GC() // what the first one has left to finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// TestPageUnderLoad: many requests at once and more in a row are answered or told to come again, the memory is given back, and the page goes
// on meanwhile and afterwards.
func TestPageUnderLoad(t *testing.T) {
	b := openBench(t, smallBench)
	b.settled("gap", "frames", "spectrum")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer client.CloseIdleConnections()
	before := living()

	var good, later, other atomic.Int64
	var group sync.WaitGroup
	for k := range longtest.Times(20, 200) {
		group.Go(func() {
			status, err := askedOnce(client, fmt.Sprintf("%sapi/gap?toy=easy&T=%d", b.address, 300+k))
			switch {
			case err == nil && status == http.StatusOK:
				good.Add(1)
			case err == nil && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
				later.Add(1)
			default:
				other.Add(1)
				t.Errorf("request %d: %d %v", k, status, err)
			}
		})
	}
	b.fill("control-T", "13")
	b.solved()
	group.Wait()
	if good.Load() == 0 {
		t.Error("nobody was answered")
	}
	t.Logf("at once: %d answered, %d told to come again", good.Load(), later.Load())

	asked := longtest.Times(100, 10_000)
	for k := range asked {
		if status, err := askedOnce(client, b.address+"api/solve?toy=cells:0:1&T=2"); err != nil || status != http.StatusOK {
			t.Fatalf("request %d: %d %v", k, status, err)
		}
		if k == asked/2 {
			b.fill("control-T", "14")
			b.solved()
		}
	}
	client.CloseIdleConnections()
	b.settled("gap", "frames", "spectrum")
	if after := living(); after > before+20<<20 {
		t.Errorf("%d bytes in use before, %d after", before, after)
	}
	b.fill("control-T", "15")
	b.solved()
	b.settled("gap", "frames", "spectrum")
	b.quiet("429")
}
