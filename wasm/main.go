//go:build js && wasm

// Command wasm is the one binary behind the page. Its role is argv[0]: "solver"
// answers the calls of package wire and pulls one run in slices, "store" keeps
// saved runs in IndexedDB. Each role lives in a worker of its own, because a
// computing goroutine keeps the event loop, and with it every transaction, from
// running.
//
// What JavaScript sees is one object, globalThis.rcmdp:
//
//	solver: call(name, ...parts) -> Uint8Array
//	        step(budgetSeconds, wantNews) -> null | {done, better, bytes} | false
//	        (false: nothing to do until a part comes back)
//	store:  call(name, ...parts) -> Promise<Uint8Array[]>, the reply and its blobs
//
// parts are Uint8Arrays. An argument of another type is refused in words.
// undefined instead of an answer means that the program is broken: what it
// printed says why, and the worker is not to be used again.
package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"syscall/js"
	"time"

	"rcmdplab/wasm/store"
	"rcmdplab/wasm/wire"
)

// version and commit are set at link time.
var (
	version = "0.1.0"
	commit  = "unknown"
)

func main() {
	role := ""
	if len(os.Args) > 0 {
		role = os.Args[0]
	}
	switch role {
	case "solver":
		solver()
	case "store":
		keep()
	default:
		println("unknown role " + role + "; want solver or store")
		os.Exit(2)
	}
	select {} // the exports answer from here on
}

func solver() {
	s := &wire.Session{Version: version, Commit: commit}
	start := time.Now()
	clock := func() float64 { return time.Since(start).Seconds() }
	export(map[string]func([]js.Value) any{
		"call": func(args []js.Value) any {
			name, parts, why := request(args)
			if why != "" {
				return bytesToJS(wire.Refuse(why))
			}
			if name == "crash" && len(parts) == 1 {
				crash(string(parts[0]))
			}
			return bytesToJS(s.Call(name, parts...))
		},
		"step": func(args []js.Value) any {
			budget, news := 0.016, true
			if len(args) > 0 && kind(args[0]) == js.TypeNumber {
				budget = args[0].Float()
			}
			if len(args) > 1 && kind(args[1]) == js.TypeBoolean {
				news = args[1].Bool()
			}
			reply := s.Step(clock, budget, news)
			if reply == nil && s.Idle() {
				return false
			}
			if reply == nil {
				return nil
			}
			return map[string]any{"done": !s.Running(), "better": s.Better(), "bytes": bytesToJS(reply)}
		},
	})
}

// keep answers the store's requests one after the other, in the order they
// came. The first is "open" with the database's name.
func keep() {
	var keeper *store.Keeper
	// One executor serves every promise: it runs before New returns.
	var resolve js.Value
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve = args[0]
		return nil
	})
	queue := make(chan func(), 1<<12)
	go func() {
		for f := range queue {
			f()
		}
	}()
	promise := js.Global().Get("Promise")
	export(map[string]func([]js.Value) any{
		"call": func(args []js.Value) any {
			p := promise.New(executor)
			answer := resolve
			name, parts, why := request(args)
			job := func() {
				defer func() {
					if p := recover(); p != nil {
						printPanic(p)
						answer.Invoke(js.Undefined())
					}
				}()
				switch {
				case why != "":
					answer.Invoke(replyToJS(wire.Refuse(why), nil))
					return
				case name == "crash" && len(parts) == 1:
					crash(string(parts[0]))
				case keeper == nil && (name != "open" || len(parts) == 0):
					answer.Invoke(replyToJS(wire.Refuse("the first request must be open, with the database's name"), nil))
					return
				case keeper == nil:
					database := string(parts[0])
					keeper = &store.Keeper{Patience: 5 * time.Second, Open: func(ctx context.Context) (store.Backend, error) {
						return store.OpenIndexedDB(ctx, database)
					}}
					answer.Invoke(replyToJS(wire.Reply([]byte("true")), nil))
					return
				}
				reply, blobs, err := store.Answer(context.Background(), keeper, name, parts)
				var e *store.Error
				switch {
				case errors.As(err, &e):
					answer.Invoke(replyToJS(wire.RefuseAs(wire.Code(e.Code), e.Message), nil))
				case err != nil:
					answer.Invoke(replyToJS(wire.RefuseAs("unavailable", err.Error()), nil))
				default:
					answer.Invoke(replyToJS(wire.Reply(reply), blobs))
				}
			}
			select {
			case queue <- job:
			default:
				answer.Invoke(replyToJS(wire.RefuseAs("unavailable", "too many requests to the saved runs at once"), nil))
			}
			return p
		},
	})
}

func replyToJS(reply []byte, blobs [][]byte) js.Value {
	list := []any{bytesToJS(reply)}
	for _, b := range blobs {
		list = append(list, bytesToJS(b))
	}
	return js.ValueOf(list)
}

// export hangs the functions on globalThis.rcmdp, once for the life of the
// program. A panic does not reach JavaScript by itself: the caller would see
// undefined and nothing else, so it is printed with its stack.
func export(functions map[string]func([]js.Value) any) {
	object := map[string]any{}
	for name, f := range functions {
		object[name] = js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
			defer func() {
				if p := recover(); p != nil {
					printPanic(p)
					result = js.Undefined()
				}
			}()
			return f(args)
		})
	}
	js.Global().Set("rcmdp", object)
}

func printPanic(p any) {
	switch v := p.(type) {
	case error:
		println("panic: " + v.Error())
	case string:
		println("panic: " + v)
	default:
		println("panic: of another type")
	}
	println(string(debug.Stack()))
}

// kind is the type of a value; js.Value.Type itself panics on a BigInt.
func kind(v js.Value) (t js.Type) {
	defer func() {
		if recover() != nil {
			t = js.TypeUndefined
		}
	}()
	return v.Type()
}

var uint8Array = js.Global().Get("Uint8Array")

// request reads the arguments of call, or says what is wrong with them.
func request(args []js.Value) (name string, parts [][]byte, why string) {
	if len(args) == 0 || kind(args[0]) != js.TypeString {
		return "", nil, "call(name, ...parts): the name must be a string"
	}
	for _, v := range args[1:] {
		if !v.InstanceOf(uint8Array) {
			return "", nil, "call(name, ...parts): every part must be a Uint8Array"
		}
		b := make([]byte, v.Get("byteLength").Int())
		js.CopyBytesToGo(b, v)
		parts = append(parts, b)
	}
	return args[0].String(), parts, ""
}

func bytesToJS(b []byte) js.Value {
	v := uint8Array.New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

// crash ends the program in one of the two ways it can end, for tests.
func crash(how string) {
	if how == "exit" {
		os.Exit(3)
	}
	panic("asked to crash")
}
