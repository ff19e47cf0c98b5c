// Command benchwasm is the bench of breadboard serve without a server: a page starts it in workers
// of the browser and hands it its requests. It answers one request at a time, and a page that does
// not want an answer any more ends the worker.
package main

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime/debug"
	"syscall/js"
	"time"

	"breadboard/reports/bench"
)

// garbage is how much garbage may grow, in percent of what is in use: a page wants its answers
// soon.
const garbage = 400

func main() {
	debug.SetGCPercent(garbage)
	limits := bench.DefaultLimits()
	limits.Stream = time.Hour // a computation takes no place from other readers, and each of them can end it
	server := bench.New(bench.Options{Limits: limits})
	js.Global().Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go answer(server, args[0], args[1])
		return nil
	}))
	select {}
}

// answer answers a request, which has a method, a url and perhaps a body, and tells the page its
// parts: head(status, header), part(bytes), and end().
func answer(server http.Handler, request, page js.Value) {
	defer page.Call("end")
	var body []byte
	if from := request.Get("body"); from.Truthy() {
		body = make([]byte, from.Length())
		js.CopyBytesToGo(body, from)
	}
	w := &writer{page: page, header: http.Header{}}
	url := request.Get("url").String()
	r, err := http.NewRequest(request.Get("method").String(), url, bytes.NewReader(body))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, "{\"error\": %q}", err)
		return
	}
	r.RequestURI = url
	server.ServeHTTP(w, r)
}

// writer hands an answer to the page.
type writer struct {
	page   js.Value
	header http.Header
	begun  bool
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	header := map[string]any{}
	for name := range w.header {
		header[name] = w.header.Get(name)
	}
	w.begun = true
	w.page.Call("head", status, header)
}

func (w *writer) Write(part []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	bytes := js.Global().Get("Uint8Array").New(len(part))
	js.CopyBytesToJS(bytes, part)
	w.page.Call("part", bytes)
	return len(part), nil
}

// Flush does nothing: each part goes to the page at once.
func (w *writer) Flush() {}
