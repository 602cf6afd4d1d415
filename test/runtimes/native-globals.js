// The globals of React Native that the tests in Hermes need, without those of Node and the DOM; and the functions
// that Hermes has had since the version of the tests.
/* global print */
function add(target, name, value) {
  if (!target[name])
    Object.defineProperty(target, name, { value: value, writable: true, configurable: true })
}
add(Array.prototype, 'at', function (i) {
  return this[i < 0 ? this.length + i : i]
})
add(String.prototype, 'at', function (i) {
  return this[i < 0 ? this.length + i : i]
})
add(Array.prototype, 'findLast', function (f) {
  return this.slice().reverse().find(f)
})
add(Array.prototype, 'findLastIndex', function (f) {
  for (var i = this.length - 1; i >= 0; i--) if (f(this[i], i)) return i
  return -1
})
add(Array.prototype, 'toSorted', function (f) {
  return this.slice().sort(f)
})
add(Array.prototype, 'toReversed', function () {
  return this.slice().reverse()
})
add(Array.prototype, 'toSpliced', function () {
  var c = this.slice()
  c.splice.apply(c, arguments)
  return c
})
add(Array.prototype, 'with', function (i, v) {
  var c = this.slice()
  c[i < 0 ? c.length + i : i] = v
  return c
})
add(Object, 'hasOwn', function (o, k) {
  return Object.prototype.hasOwnProperty.call(o, k)
})
add(Symbol, 'asyncIterator', Symbol('asyncIterator'))

globalThis.console = {
  log: function () {
    print([].slice.call(arguments).join(' '))
  },
  warn: function () {
    print('WARN', [].slice.call(arguments).join(' '))
  },
  error: function (m, e) {
    print('ERR', m, e && e.stack)
  },
  info: function () {},
}
function Headers(init) {
  this.map = {}
  var self = this
  ;(Array.isArray(init) ? init : Object.entries(init || {})).forEach(function (p) {
    self.map[p[0].toLowerCase()] = String(p[1])
  })
}
Headers.prototype.get = function (n) {
  var v = this.map[n.toLowerCase()]
  return v === undefined ? null : v
}
Headers.prototype.forEach = function (f) {
  for (var k in this.map) f(this.map[k], k)
}
function Response(body, init) {
  this.content = body
  this.status = init.status
  this.ok = init.status < 300
  this.headers = new Headers(init.headers)
  this.url = init.url || ''
}
Response.prototype.text = function () {
  return Promise.resolve(this.content === null ? '' : String(this.content))
}
Response.prototype.json = function () {
  return this.text().then(JSON.parse)
}
globalThis.Headers = Headers
globalThis.Response = Response
globalThis.AbortController = function () {
  var l = []
  this.signal = {
    aborted: false,
    addEventListener: function (t, f) {
      l.push(f)
    },
    removeEventListener: function () {},
  }
  this.abort = function () {
    this.signal.aborted = true
    l.forEach(function (f) {
      f()
    })
  }
}
/** @param {string} url */
globalThis.fetch = function (url) {
  return Promise.resolve(new Response('real ' + url, { status: 299, headers: [] }))
}
globalThis.XMLHttpRequest = function () {
  this.responseType = ''
  this.open = function (m, u) {
    this.url = u
  }
  this.send = function () {
    this.responseText = 'real ' + this.url
    this.status = 299
    if (this.onload) this.onload()
  }
}
var digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
add(globalThis, 'btoa', function (text) {
  var out = ''
  for (var i = 0; i < text.length; i += 3) {
    var bits =
      (text.charCodeAt(i) << 16) |
      ((text.charCodeAt(i + 1) || 0) << 8) |
      (text.charCodeAt(i + 2) || 0)
    for (var j = 0; j < 4; j++)
      out += i + j > text.length ? '=' : digits[(bits >> (18 - 6 * j)) & 63]
  }
  return out
})
