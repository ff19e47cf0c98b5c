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

// TestServeUnderLoad: many requests at once and more in a row are answered or told to come again, and the memory is given back. That a page
// goes on meanwhile is tested in a browser.
func TestServeUnderLoad(t *testing.T) {
	longtest.NotShort(t)
	address := serveBench(t)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer client.CloseIdleConnections()
	if status, err := askedOnce(client, address+"api/solve?toy=cells:0:1&T=2"); err != nil || status != http.StatusOK {
		t.Fatalf("%d %v", status, err)
	}
	before := living()

	var good, later atomic.Int64
	var group sync.WaitGroup
	for k := range longtest.Times(20, 200) {
		group.Go(func() {
			status, err := askedOnce(client, fmt.Sprintf("%sapi/gap?toy=easy&T=%d", address, 300+k))
			switch {
			case err == nil && status == http.StatusOK:
				good.Add(1)
			case err == nil && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
				later.Add(1)
			default:
				t.Errorf("request %d: %d %v", k, status, err)
			}
		})
	}
	group.Wait()
	if good.Load() == 0 {
		t.Error("nobody was answered")
	}
	t.Logf("at once: %d answered, %d told to come again", good.Load(), later.Load())

	for k := range longtest.Times(100, 10_000) {
		if status, err := askedOnce(client, address+"api/solve?toy=cells:0:1&T=2"); err != nil || status != http.StatusOK {
			t.Fatalf("request %d: %d %v", k, status, err)
		}
	}
	client.CloseIdleConnections()
	if after := living(); after > before+20<<20 {
		t.Errorf("%d bytes in use before, %d after", before, after)
	}
}
