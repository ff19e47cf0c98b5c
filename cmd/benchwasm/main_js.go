// Command benchwasm is the bench of breadboard serve without a server: a page starts it in workers
// of the browser and hands it its requests. It answers one request at a time, and a page that does
// not want an answer any more ends the worker.
package main

import (
	"bytes"
	"context"
	"net/url"
	"runtime/debug"
	"syscall/js"
	"time"

	"breadboard/cmd/bench"
	"breadboard/cmd/catalogue"
)

// garbage is how much garbage may grow, in percent of what is in use: a page wants its answers
// soon.
const garbage = 400

func main() {
	debug.SetGCPercent(garbage)
	limits := bench.DefaultLimits()
	limits.Stream = time.Hour // a computation takes no place from other readers, and each of them can end it
	server := bench.New(bench.Options{Limits: limits, Studies: catalogue.Lessons()})
	js.Global().Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go answer(server, args[0], args[1])
		return nil
	}))
	select {}
}

// answer answers a request, which has a method, a url and perhaps a body, and tells the page its
// parts: head(status, header), part(bytes), and end().
func answer(server *bench.Server, request, page js.Value) {
	defer page.Call("end")
	var body []byte
	if from := request.Get("body"); from.Truthy() {
		body = make([]byte, from.Length())
		js.CopyBytesToGo(body, from)
	}
	address, err := url.Parse(request.Get("url").String())
	if err != nil {
		panic(err) // a browser writes none that cannot be read
	}
	server.Answer(context.Background(), reply{page}, &bench.Request{
		Method: request.Get("method").String(), URL: address, Size: int64(len(body)),
		Body: bytes.NewReader(body)})
}

// reply hands an answer to the page.
type reply struct{ page js.Value }

func (r reply) Head(status int, header map[string]string) {
	all := map[string]any{}
	for name, value := range header {
		all[name] = value
	}
	r.page.Call("head", status, all)
}

func (r reply) Part(content []byte) error {
	bytes := js.Global().Get("Uint8Array").New(len(content))
	js.CopyBytesToJS(bytes, content)
	r.page.Call("part", bytes)
	return nil
}
