package bench

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// events is an answer that comes in parts, as server-sent events. The first one begins the answer.
// Several goroutines may send.
type events struct {
	mu    sync.Mutex
	to    Reply
	begun bool
	over  bool // whether nothing may be sent any more, because the request has ended
}

// send sends an event. It fails if the client has gone.
func (e *events) send(name string, data object) error {
	var text, b bytes.Buffer
	if err := data.writeTo(&text); err != nil {
		return internal(err)
	}
	b.WriteString("event: " + name + "\ndata: ")
	// each line of an event says what it is
	b.Write(bytes.ReplaceAll(text.Bytes(), []byte("\n"), []byte("\ndata: ")))
	b.WriteString("\n\n")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return context.Canceled
	}
	if !e.begun {
		e.begun = true
		e.to.Head(statusOK, map[string]string{
			contentType: "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"})
	}
	return e.to.Part(b.Bytes())
}

// endAnswer ends the answer: nothing is sent from here on. It reports whether the answer had begun.
func (e *events) endAnswer() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	return e.begun
}

// stream answers with the events that work sends, and with an event called done behind them. An
// error that comes before the first event is answered as any error is, and a later one with an
// event called failed.
func (s *Server) stream(ctx context.Context, to Reply, r *Request,
	work func(context.Context, *events) error) error {
	e := &events{to: to}
	err := s.streams.inside(ctx, s.options.Limits.Stream, func(ctx context.Context) error { return work(ctx, e) })
	if err == nil {
		err = e.send("done", object{})
		e.endAnswer()
		return err
	}
	if ctx.Err() == nil || context.Cause(ctx) == errClosing {
		e.mu.Lock()
		begun := e.begun
		e.mu.Unlock()
		if begun {
			_ = e.send("failed", messageOf(err)) // where this fails the client has gone
		}
	}
	if e.endAnswer() {
		return nil
	}
	return err
}

// pulseEvery is the time between two reports of how far work is.
const pulseEvery = 100 * time.Millisecond

// pulse sums the steps of a search that are reported from several goroutines, and says now and then
// how many there are, with the best value so far.
type pulse struct {
	mu    sync.Mutex
	steps int
	best  float64
	found bool // whether there is a best value yet
	last  time.Time
	say   func(steps int, best float64) error
}

func newPulse(say func(steps int, best float64) error) *pulse { return &pulse{say: say} }

// addSteps adds steps. The context of the work says if no client listens any more.
func (p *pulse) addSteps(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps += steps
	p.beat()
}

// better sets the best value.
func (p *pulse) better(value float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.best = value
	p.found = true
	p.beat()
}

// beat says how far the search is, if it is time for that.
func (p *pulse) beat() {
	if now := time.Now(); p.found && now.Sub(p.last) >= pulseEvery {
		p.last = now
		_ = p.say(p.steps, p.best)
	}
}
