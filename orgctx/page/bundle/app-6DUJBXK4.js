import"./chunk-SQE76S5B.js";var b,St,Hs,J,Ye,je,Et,Ce,Ct,He,Je,Ks,me=Symbol.for("pv"),$e={},Oe=[],Zs=/^m(i|n|o|s|text|space)$/,Ke=Array.isArray,Ze=Oe.slice,se=Object.assign;function te(e){e&&e.parentNode&&e.remove()}function kt(e,t,s){var r,i,o,c={},a=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?i=t[o]:c[o]=t[o];return a>2&&(c.children=a>3?Ze.call(arguments,2):s),he(e,c,r,i,null)}function he(e,t,s,r,i){var o={type:e,props:t,key:s,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:me,__v:i||++St,__i:-1,__u:0};return!i&&b.vnode&&b.vnode(o),o}function Ae(e){return e.children}function re(e,t){this.props=e,this.context=t,this.__g=0}function H(e,t){if(t==null)return e.__&&H(e.__,e.__i+1);for(var s;t<e.__k.length;t++)if((s=e.__k[t])&&s.__e)return s.__e;return typeof e.type!="function"||e.props.__P?null:H(e)}function Gs(e){var t,s=e.__v,r=s.__e,i=[],o=[],c=e.__P;c&&((t=se({constructor:me},s)).__v=s.__v+1,b.vnode&&b.vnode(t),Ge(c,t,s,e.__n,c.namespaceURI,32&s.__u?[r]:null,i,r||H(s),32&s.__u,o),t.__v=s.__v,t.__.__k[t.__i]=t,Tt(i,t,o),s.__=s.__e=null,t.__e!=r&&jt(t))}function jt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),jt(e)}function vt(e){(8&e.__g||(e.__g|=8,J.push(e),je++))&&Ye==b.debounceRendering||((Ye=b.debounceRendering)||queueMicrotask)($t)}function $t(){try{for(var e,t=1;J.length;)J.length>t&&J.sort(Et),e=J.shift(),t=J.length,8&e.__g&&Gs(e)}finally{(je=J.length)&&(Ye||queueMicrotask)($t)}}function Ot(e,t,s,r,i,o,c,a,p,d,l){var h,m,u,f,O,w,x=r.__k||Oe,g=t.length;for(p=Xs(s,t,x,p,g),h=0;h<g;h++)(u=s.__k[h])!=null&&(m=~u.__i&&x[u.__i]||$e,u.__i=h,w=Ge(e,u,m,i,o,c,a,p,d,l),f=u.__e,(m.ref!=u.ref||8&m.__u)&&(m.ref&&Xe(m.ref,null,u,m),u.ref&&l.push(u.ref,u.__c||f,u)),O=O||f,4&u.__u?(p=At(u,p,e,!m.__v),m.__e&&(m.__e=null)):typeof u.type=="function"&&w!==void 0?p=w:f&&(p=f.nextSibling),u.__u&=-21);return s.__e=O,p}function Xs(e,t,s,r,i){var o,c,a,p,d,l,h,m,u,f=s.length,O=f,w=0,x=0,g=e.__k=Array(i);for(o=0;o<i;o++)(c=t[o])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=g[o]=he(null,c):Ke(c)?c=g[o]=he(Ae,{children:c}):c.constructor===me&&c.__b?c=g[o]=he(c.type,c.props,c.key,c.ref,c.__v):g[o]=c,p=o+w,c.__=e,c.__b=e.__b+1,a=null,~(d=c.__i=Qs(c,s,p,O))&&(O--,(a=s[d])&&(a.__u|=2)),a&&a.__v?(c.__u|=16,d==p-1?w--:d==p+1?w++:d!=p&&(d>p?w--:w++,x=1)):(~d||(i>f?w--:i<f&&w++),typeof c.type!="function"&&(c.__u|=4))):g[o]=null;if(x){for(l=[],h=[],o=0;o<i;o++)if((c=g[o])&&16&c.__u){for(w=0,m=l.length;w<m;)l[u=w+m>>1]<c.__i?w=u+1:m=u;l[w]=c.__i,h[o]=w+1}for(w=l.length;o--;)h[o]&&(h[o]==w?w--:g[o].__u|=4)}if(O)for(o=0;o<f;o++)!(a=s[o])||2&a.__u||(a.__e==r&&(r=H(a)),Qe(a,a));return r}function At(e,t,s,r){var i,o,c,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(o=0;o<i.length;o++)i[o]&&(i[o].__=e,t=At(i[o],t,s,!1));return t}for(t&&!t.parentNode&&(t=H(e))&&!t.parentNode&&(t=null),c=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(c!=a&&(!r&&s.moveBefore&&c.parentNode?s.moveBefore(c,t):s.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Qs(e,t,s,r){var i,o=e.key,c=e.type,a=t[s],p=a&&!(2&a.__u);if(a===null&&o==null||p&&o==a.key&&c==a.type)return s;if(r>(p?1:0)){for(i=s-1;i>=0;i--)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i;for(i=s+1;i<t.length;i++)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i}return-1}function xt(e,t,s){s==null&&(s=""),t[0]=="-"?e.setProperty(t,s):e[t]=s}function Ee(e,t,s,r,i){var o,c;if(t=="style")if(typeof s=="string")e.style.cssText=s;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)s&&t in s||xt(e.style,t);if(s)for(t in s)r&&s[t]==r[t]||xt(e.style,t,s[t])}else if(t[0]=="o"&&t[1]=="n")typeof s!="function"&&(s=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=s,s&&r||(c=Je[t]||(Je[t]=er(t)),(e.__a||(e.__a={}))[t]=He,o=t!=(t=t.replace(Ct,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),s?e.addEventListener(t,c,o):e.removeEventListener(t,c,o));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=s??"")}catch{}if(typeof s=="function")return;s==null||s===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&s==1?"":s)}}function er(e){return function(t){var s=this.__e;if(s){if(s=s[e],t[Ce]==null)t[Ce]=He++;else if(t[Ce]<this.__a[e])return;return s(b.event?b.event(t):t)}}}function Ge(e,t,s,r,i,o,c,a,p,d){var l,h,m,u,f,O,w,x,g,M,E,We,yt,Se,Q,bt,Y,ee,W=t.type;if(t.constructor!==me)return null;128&s.__u&&(p=32&s.__u,l=s.__c.__z)&&(t.__u|=p,h=o=[],l.nodeType==8?a=ke(l,o):o.push(l),a=o[0]||a),(l=b.__b)&&l(t);e:if(typeof W=="function"){m=c.length;try{if(x=t.props,g=(l=W.prototype)&&l.render,M=(l=W.contextType)&&r[l.__c],E=l?M?M.props.value:l.__:r,(u=s.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(g?t.__c=u=new W(x,E):(t.__c=u=new re(x,E),u.constructor=W,u.render=sr),M&&M.sub(u),u.state||(u.state={}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),g&&(u.__s||(u.__s=u.state),W.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=se({},u.__s)),se(u.__s,W.getDerivedStateFromProps(x,u.__s)))),f=u.props,O=u.state,u.__v=t,s.__c){if(x!==f&&g&&!W.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(x,E),t.__v==s.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(x,u.__s,E)===!1){t.__v!=s.__v&&(u.props=x,u.state=u.__s,u.__g&=-9),t.__e=s.__e,t.__k=s.__k,t.__k.some(function(V){V&&(V.__=t)}),Oe.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&c.push(u),a=H(s);break e}u.componentWillUpdate&&u.componentWillUpdate(x,u.__s,E),g&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(f,O,w)})}else g&&!W.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),g&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=E,u.props=x,u.__P=e,u.__g&=-5,We=b.__r,yt=g?25:0;do u.__g&=-9,We&&We(t),l=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++yt<25);g&&(Oe.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=se({},r,u.getChildContext())),g&&s.__c&&u.getSnapshotBeforeUpdate&&(w=u.getSnapshotBeforeUpdate(f,O)),Se=l&&l.type===Ae&&l.key==null?l.props.children:l,x.__P&&(l=a,i=(e=x.__P).namespaceURI,p=o=null,s.props&&s.props.__P!=e&&(s.__k.some(function(V){V&&Qe(V,V)}),s.__k=null),a=s.__k?H(s,0):null),a=Ot(e,Ke(Se)?Se:[Se],t,s,r,i,o,c,a,p,d),x.__P&&(t.__e=null,a=l),t.__u&=-161,h&&h.some(te),u.__h.length&&c.push(u),1&u.__g&&(u.__g&=-4)}catch(V){if(c.length=m,t.__v=null,p||o)if(V&&V.then){if(t.__u|=128|p,o){for(~(Y=o.indexOf(a||void 0))||(Y=o.length);(ee=o[Y-1])&&ee.nodeType==8;)Y--;for(;Y<o.length;Y++)if(ee=o[Y])if(o[Y]=null,Q){if(ee==bt)break}else{if(ee.nodeType!=8)break;ee.data.startsWith("$s")&&(bt=ke(Q=ee))}}if(!Q){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;Q=a}(l=ke(Q=t.__c.__z||(t.__c.__z=Q)))?(t.__e=Q,a=l):t.__e=a,a=a&&a.nextSibling}else o&&o.some(te);else t.__e=s.__e;t.__k||(t.__k=s.__k||[]),V&&V.then||Pt(t),b.__e(V,t,s)}}else a=t.__e=tr(s.__e,t,s,r,i,o,c,p,d,e);return(l=b.diffed)&&l(t),a}function ke(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var s=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))s++;else if(e.data.startsWith("/$s")&&!--s)return e}t&&t.push(e)}}function Pt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Pt))}function Tt(e,t,s){for(var r=0;r<s.length;)Xe(s[r++],s[r++],s[r++]);b.__c&&b.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(o){o.call(i)})}catch(o){b.__e(o,i.__v)}})}function tr(e,t,s,r,i,o,c,a,p,d){var l,h,m,u,f,O,w,x,g=s.props||$e,M=t.props,E=t.type;if(E=="svg"?i="http://www.w3.org/2000/svg":E=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((f=o[l])&&(E?f.localName==E:f.nodeType==3)){e=f,o[l]=null;break}}if(!e){if(x=d.ownerDocument||document,!E)return x.createTextNode(M);e=x.createElementNS(i,E,M.is?M:d),a&&(b.__m&&b.__m(t,o),a=!1),o=null}if(E){if(d=E=="template"&&e.content||e,o=E=="textarea"&&M.defaultValue!=null?null:o&&Ze.call(d.childNodes),!a&&o)for(g={},l=0;l<e.attributes.length;l++)g[(f=e.attributes[l]).name]=f.value;for(l in g)f=g[l],l=="dangerouslySetInnerHTML"?m=f:l=="children"||l in M||l=="value"&&"defaultValue"in M||l=="checked"&&"defaultChecked"in M||Ee(e,l,null,f,i);for(l in M)f=M[l],l=="children"?u=f:l=="dangerouslySetInnerHTML"?h=f:l=="value"?O=f:l=="checked"?w=f:a&&typeof f!="function"||g[l]===f||Ee(e,l,f,g[l],i);h?(a||m&&(h.__html==m.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(m&&(e.textContent=""),(E=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&Zs.test(E))&&(i="http://www.w3.org/1999/xhtml"),Ot(d,Ke(u)?u:[u],t,s,r,i,o,c,o?o[0]:s.__k&&H(s,0),a,p),o&&o.some(te)),a&&E!="textarea"||(l="value",E=="progress"&&O==null?e.removeAttribute(l):O==null||O===e[l]&&(E!="progress"||O)||Ee(e,l,O,g[l],i),l="checked",w!=null&&w!=e[l]&&Ee(e,l,w,g[l],i))}else g===M||a&&e.data==M||(e.data=M);return e}function Xe(e,t,s,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){b.__e(i,s)}}function Qe(e,t,s){var r,i,o,c;if(b.unmount&&b.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Xe(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){b.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&Qe(r[c],t,typeof e.type!="function"||s&&!e.props.__P);!s&&(r=e.__c)&&(r=r.__z)&&(i=ke(r,o=[]))&&(r==e.__e&&o.some(te),te(i),te(r)),s||te(e.__e),e.__e=e.__c=e.__=null}function sr(e,t,s){return this.constructor(e,s)}function et(e,t){var s,r,i,o;b.__&&b.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(s=e&&32&e.__u)?null:t.__k,t.__k=he(Ae,{children:[e]}),i=[],o=[],Ge(t,t.__k,r||$e,$e,t.namespaceURI,r?null:t.firstChild?Ze.call(t.childNodes):null,i,r?r.__e:t.firstChild,s,o),Tt(i,t.__k,o),t.__k.props.children=null}b={__e:function(e,t,s,r){for(var i,o,c;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((c=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),c=1),c&&8&i.__g)return void(i.__g|=2)}catch(a){e=a}}throw je=0,e}},St=0,Hs=function(e){return e!=null&&e.constructor===me},re.prototype.setState=function(e,t){var s=this.__s;s&&s!=this.state||(s=this.__s=se({},this.state)),typeof e=="function"&&(e=e(se({},s),this.props)),e&&(se(s,e),this.__v&&(t&&this.__k.push(t),vt(this)))},re.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),vt(this))},re.prototype.render=Ae,J=[],je=0,Et=function(e,t){return e.__v.__b-t.__v.__b},Ce=Symbol(),Ct=/(PointerCapture)$|Capture$/i,He=0,Je={},Ks=0;var It=function(e,t,s,r){var i;t[0]=0;for(var o=1;o<t.length;o++){var c=t[o++],a=t[o]?(t[0]|=c?1:2,s[t[o++]]):t[++o];c===3?r[0]=a:c===4?r[1]=Object.assign(r[1]||{},a):c===5?(r[1]=r[1]||{})[t[++o]]=a:c===6?r[1][t[++o]]+=a+"":c?(i=e.apply(a,It(e,a,s,["",null])),r.push(i),a[0]?t[0]|=2:(t[o-2]=0,t[o]=i)):r.push(a)}return r},Rt=new Map;function Mt(e){var t=Rt.get(this);return t||(t=new Map,Rt.set(this,t)),(t=It(this,t.get(e)||(t.set(e,t=(function(s){for(var r,i,o=1,c="",a="",p=[0],d=function(m){o===1&&(m||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,m,c):o===3&&(m||c)?(p.push(3,m,c),o=2):o===2&&c==="..."&&m?p.push(4,m,0):o===2&&c&&!m?p.push(5,0,!0,c):o>=5&&((c||!m&&o===5)&&(p.push(o,0,c,i),o=6),m&&(p.push(o,m,0,i),o=6)),c=""},l=0;l<s.length;l++){l&&(o===1&&d(),d(l));for(var h=0;h<s[l].length;h++)r=s[l][h],o===1?r==="<"?(d(),p=[p],o=3):c+=r:o===4?c==="--"&&r===">"?(o=1,c=""):c=r+c[0]:a?r===a?a="":c+=r:r==='"'||r==="'"?a=r:r===">"?(d(),o=1):o&&(r==="="?(o=5,i=c,c=""):r==="/"&&(o<5||s[l][h+1]===">")?(d(),o===3&&(p=p[0]),o=p,(p=p[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),o=2):c+=r),o===3&&c==="!--"&&(o=4,p=p[0])}return d(),p})(e)),t),arguments,[])).length>1?t:t[0]}var ae,A,tt,Nt,st=Object.is,ge=0,Wt=[],rt=[],j=b,Lt=j.__b,Bt=j.__r,Dt=j.diffed,zt=j.__c,Ft=j.unmount,Vt=j.__;function Pe(e,t){j.__h&&j.__h(A,e,ge||t),ge=0;var s=A.__H||(A.__H={__:[],__h:[]});return e>=s.__.length&&s.__.push({}),s.__[e]}function _(e){return ge=1,rr(Yt,e)}function rr(e,t,s){var r=Pe(ae++,2);if(r.t=e,!r.__c&&(r.__=[s?s(t):Yt(void 0,t),function(o){var c=(r.__N||r.__)[0],a=r.t(c,o);st(c,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=A,!A.__f)){A.__f=!0;var i=A.shouldComponentUpdate;A.shouldComponentUpdate=function(o,c,a){var p=this.__H;if(!p)return!0;var d=!1,l=this.props!=o;if(p.__.some(function(m){m.__N&&(d=!0,st(m.__[0],m.__N[0])||(l=!0))}),i){var h=i.call(this,o,c,a);return d?h||l:h}return!d||l}}return r.__}function C(e,t){var s=Pe(ae++,3);!j.__s&&nt(s.__H,t)&&(s.__P=!0,s.__=e,s.u=t,A.__H.__h.push(s))}function it(e,t){var s=Pe(ae++,4);!j.__s&&nt(s.__H,t)&&(s.__P=!1,s.__=e,s.u=t,A.__h.push(s))}function P(e){return ge=5,we(function(){return{current:e}},[])}function we(e,t){var s=Pe(ae++,7);return nt(s.__H,t)&&(s.__=e(),s.__H=t),s.__}function Te(e,t){return ge=8,we(function(){return e},t)}function or(){var e;do{for(;e=rt.shift();)try{fe(e)}catch(s){j.__e(s,{__:(e=e.__P)&&e.__v})}for(;e=Wt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(fe),t.__h.some(ot),t.__h=[]}catch(s){t.__h=[],j.__e(s,e.__v)}}}while(rt.length)}j.__b=function(e){A=null,Lt&&Lt(e)},j.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Vt&&Vt(e,t)},j.__r=function(e){Bt&&Bt(e),ae=0;var t=(A=e.__c).__H;t&&(tt==A?A.__h=[]:(t.__h.some(fe),t.__h.some(ot),ae=0),t.__h=[],t.__.some(function(s){s.__N&&(s.__=s.__N),s.u=s.__N=void 0})),tt=A},j.diffed=function(e){Dt&&Dt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&qt(Wt.push(t)),t.__H.__.some(function(s){s.u&&(s.__H=s.u)})),tt=A=null},j.__c=function(e,t){t.some(function(s){try{s.__h.some(fe),s.__h=s.__h.filter(function(r){return!r.__||ot(r)})}catch(r){s.__h=[function(){throw r}]}}),zt&&zt(e,t)},j.unmount=function(e){Ft&&Ft(e);var t,s,r=e.__c;r&&r.__H&&(r.__H.__.some(function(i){try{if(i.__P&&i.__c){if(s===void 0){for(s=e.__;s&&(!s.__c||!s.__c.__P);)s=s.__;s=s&&s.__c}i.__P=s,qt(rt.push(i))}else fe(i)}catch(o){t=o}}),r.__H=void 0,t&&j.__e(t,r.__v))};var Ut=typeof requestAnimationFrame=="function";function ir(e){var t,s=function(){clearTimeout(r),Ut&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(s,35);Ut&&(t=requestAnimationFrame(s))}function qt(e){e!=1&&Nt==j.requestAnimationFrame||((Nt=j.requestAnimationFrame)||ir)(or)}function fe(e){var t=A,s=e.__c;typeof s=="function"&&(e.__c=void 0,s()),A=t}function ot(e){var t=A;e.__c=e.__(),A=t}function nt(e,t){return!e||e.length!=t.length||t.some(function(s,r){return!st(s,e[r])})}function Yt(e,t){return typeof t=="function"?t(e):t}var n=Mt.bind(kt);var U=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let s of[...this.#e])s(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function v(e){let[t,s]=_(e.value);return C(()=>(s(e.value),e.watch(s)),[e]),t}var L=new U(at(location.hash));addEventListener("hashchange",()=>L.set(at(location.hash)));function y(e,t="",s=[],r={}){let i=[e,t,...s].filter(Boolean).map(encodeURIComponent).join("/"),o=Object.entries(r).filter(([,a])=>a!=null&&a!==""),c=new URLSearchParams(o).toString();return`#/${i}${c&&`?${c}`}`}function T(e){let{area:t,view:s,values:r,query:i}=L.value;history.replaceState(null,"",y(t,s,r,{...i,...e})),L.set(at(location.hash))}function at(e){let[t,s=""]=e.replace(/^#\/?/,"").split("?"),[r="",i="",...o]=t.split("/").map(ct);return{area:r||"start",view:i,values:o,query:Object.fromEntries(new URLSearchParams(s))}}function ct(e){try{return decodeURIComponent(e)}catch{return e}}var lt=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!lt.ok)throw new Error(`service.json: ${lt.status}`);var $=await lt.json();$.baseUrl||=location.origin;for(let e of $.clients)e.configuration=e.configuration.replaceAll($.exampleUrl,$.baseUrl);var nr=new Map($.operations.map(e=>[e.name,e])),ar=$.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function Re(e){return nr.get(e)}function Jt(e,t){let s=e.path,r=new URLSearchParams;for(let[o,{path:c}]of Object.entries(e.arguments)){let a=t[o];c?s=s.replace(`{${c}}`,encodeURIComponent(a)):Zt(a)||r.set(o,a)}let i=r.toString();return`/api/v1${s}${i&&`?${i}`}`}function Ht(e,t){let s=Object.entries(e.arguments).filter(([r])=>!Zt(t[r]));return Object.fromEntries(s.map(([r,{type:i}])=>[r,cr(t[r],i)]))}function Kt(e){if(!e?.startsWith("/api/v1/"))return null;let[t,s=""]=e.split("?");for(let[r,i]of ar){let o=r.exec(t);if(o)return{operation:i,values:o.slice(1).map(ct),query:new URLSearchParams(s)}}return null}function Zt(e){return e==null||e===""}function cr(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var lr=60,ur=12,_e=null,oe=new Map,K=new U(!1),Ie=new U(null),Me=new U(null),ce=new U(0),ie=new U([]);function Gt(e){ye(),_e=e,K.set(!0),le("get_context").catch(()=>{})}function ye(){_e=null,oe.clear(),Ie.set(null),Me.set(null),ie.set([]),K.set(!1)}var ut=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function le(e,t={},s=void 0){let r=Re(e),i=Jt(r,t),o=oe.get(i),c=_e,a=performance.now(),p={operation:r,args:t,path:i,status:0,milliseconds:0,body:null,etag:null},d;ce.set(ce.value+1);try{d=await fetch(i.slice(1),{headers:pr(o),cache:"no-store",signal:s}),p.status=d.status,p.body=d.status===304?o.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{ce.set(ce.value-1)}if(_e!==c)throw new DOMException("The key has changed.","AbortError");if(p.milliseconds=Math.round(performance.now()-a),d&&dr(p,d),ie.set([p,...ie.value].slice(0,ur)),p.status!==200&&p.status!==304)throw new ut(p);return p.body.data.grantedScopes&&Me.set(p.body.data.grantedScopes),mr(i,p),p}function pr(e){let t={Authorization:`Bearer ${_e}`,Accept:"application/json"};return e?{...t,"If-None-Match":e.etag}:t}function dr(e,{headers:t}){let s=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=hr(t.get("Retry-After")),t.has("RateLimit-Limit")&&(e.quota={limit:s("RateLimit-Limit"),remaining:s("RateLimit-Remaining"),resetAt:Date.now()+1e3*s("RateLimit-Reset")},Ie.set(e.quota))}function hr(e){return e&&(Number.isNaN(Number(e))?(new Date(e)-Date.now())/1e3:Number(e))}function mr(e,{etag:t,body:s}){oe.delete(e),oe.set(e,{etag:t,body:s}),oe.size>lr&&oe.delete(oe.keys().next().value)}var Ne={body:null,error:null,isLoading:!1};function I(e,t){let[s,r]=_({...Ne,isLoading:t!==null}),[i,o]=_(0),c=v(K),a=t&&JSON.stringify(t);C(()=>{if(a===null||!c)return r(Ne);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),le(e,JSON.parse(a),d.signal).then(({body:l})=>r({...Ne,body:l,asked:a}),l=>l.name!=="AbortError"&&r({...Ne,error:l})),()=>d.abort()},[e,a,i,c]);let p=Te(()=>o(d=>d+1),[]);return{...s,retry:p}}function ue(e,t,s){let[r,i]=_({bodies:[],error:null,isLoading:!0,following:null}),o=P(null),c=JSON.stringify(t),a=Te((d,l,h)=>{i({bodies:h,error:null,isLoading:!0,following:l}),le(e,l,d.signal).then(({body:m})=>i({bodies:[...h,m],error:null,isLoading:!1,following:s(m,l)}),m=>m.name!=="AbortError"&&i({bodies:h,error:m,isLoading:!1,following:l}))},[e]);C(()=>(o.current=new AbortController,a(o.current,JSON.parse(c),[]),()=>o.current.abort()),[a,c]);let p=()=>{!r.isLoading&&r.following&&a(o.current,r.following,r.bodies)};return{...r,hasMore:r.following!==null,more:p}}function Z(e,t=250){let[s,r]=_(e);return C(()=>{let i=setTimeout(()=>r(e),t);return()=>clearTimeout(i)},[e,t]),s}function Xt(e){let[t,s]=_({module:null});if(C(()=>{e().then(r=>s({module:r}),r=>s({error:r}))},[]),t.error)throw t.error;return t.module}function Qt(e,t){let s=P(null),r=P(e);return r.current=e,C(()=>{if(!t||!s.current)return;let i=new IntersectionObserver(o=>o.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return i.observe(s.current),()=>i.disconnect()}),s}function es(e){C(()=>()=>ie.set([]),[e])}var fr=/^octx_[0-9A-Za-z]{40}$/;function Le({onDone:e}){let t=P(null),[s,r]=_("");return n`<form class="key" onSubmit=${o=>{o.preventDefault();let c=t.current.value.trim();return t.current.value="",fr.test(c)?(r(""),Gt(c),e?.()):r("This is not an API key. Paste the whole key: octx_ and 40 letters and digits.")}} autocomplete="off">
    <label>API key
      <input ref=${t} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${s?"true":"false"} />
    </label>
    <button type="submit" class="primary">Explore</button>
    <p id="key-note" class="quiet">${s?n`<span class="error" role="alert">${s}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var gr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),wr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),_r=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),yr=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),br=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),vr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),xr=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),Sr=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],pe=e=>t=>t==null?"unknown":e(t),q=pe(e=>gr.format(new Date(e))),ne=pe(e=>wr.format(new Date(e))),pt=pe(e=>_r.format(new Date(e))),dt=pe(e=>br.format(e)),F=pe(e=>(e&&Math.abs(e)<.001?xr:vr).format(e)),Be=e=>e?dt(e):"unknown",ht=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function ts(e){let[t,s]=ns(ht(e));return yr.format(-s,t)}function ss(e){let[t,s]=ns(e*1.001);return`${s} ${t}${s===1?"":"s"}`}var be=pe(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),s=e/1e3**t;return`${t&&s<10?s.toFixed(1):Math.round(s)} ${["B","kB","MB","GB","TB"][t]}`});function rs(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var os=e=>e.replace(/\B(?=(\d{3})+$)/g," "),is=e=>e.replaceAll("_"," ");function ns(e){let[t,s]=Sr.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/s)]}var as={current:n`<circle cx="8" cy="8" r="5" />`,available:n`<circle cx="8" cy="8" r="5" />`,ready:n`<circle cx="8" cy="8" r="5" />`,stale:n`<path d="M8 2.5 14 13H2Z" />`,collecting:n`<path d="M8 2.5 14 13H2Z" />`,synthetic:n`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:n`<path d="M3.5 3.5h9v9h-9Z" />`,error:n`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:n`<circle class="hollow" cx="8" cy="8" r="4.5" />`},us={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function ve({status:e,...t}){let s=us[e]??e;return n`<svg class="shape tone-${s}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${as[e]??as.not_connected}
  </svg>`}function de({status:e}){return n`<span class="status tone-${us[e]??e}"><${ve} status=${e} />${is(e)}</span>`}function k({at:e,children:t}){return e?n`<time datetime=${e} title=${ne(e)}>${t??ts(e)}</time>`:n`<span class="quiet">never</span>`}function z({text:e,term:t}){if(!t)return e;let s=new RegExp(`(${t.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");return e.split(s).map((r,i)=>i%2?n`<mark>${r}</mark>`:r)}function N({meta:e}){let{status:t,updatedAt:s,note:r}=e.freshness;return n`<p class="freshness">
    <${de} status=${t} />
    ${s&&n`<span>updated <${k} at=${s} /></span>`}
    ${r&&n`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function G({pagination:e,page:t,onPage:s}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:i,hasNextPage:o}=e;return n`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>s(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${i} in all</span></span>
    <button type="button" disabled=${!o} onClick=${()=>s(t+1)}>Next</button>
  </nav>`}function De({text:e,label:t="Copy"}){let[s,r]=_(!1),i=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?n`<button type="button" class="copy" onClick=${i}>
    <span aria-live="polite">${s?"Copied":t}</span>
  </button>`:null}function ze({text:e,label:t}){return n`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${De} text=${e} />
  </div>`}function S(){return n`<p class="loading" role="status">Loading …</p>`}function B({children:e}){return n`<p class="empty">${e}</p>`}function R({error:e,retry:t,isWhole:s}){let{status:r}=e,i=cs[r]??cs[r>=500||r===0?503:400],o=e.message.replace(/\s*Retry (in|with) [^.]*\.$/,"");return n`<div class="trouble" role="alert">
    ${s?n`<h1>${i.title}</h1>`:n`<h2>${i.title}</h2>`}
    ${o&&n`<p dir="auto">${o}</p>`}
    ${i.what&&n`<p>${i.what}</p>`}
    <p class="actions">
      ${r===401&&n`<button type="button" onClick=${ye}>Use another key</button>`}
      ${r===429&&n`<${Er} until=${e.retryAt} retry=${t} />`}
      ${(r===0||r>=500)&&n`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&n`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var cs={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}};function Er({until:e,retry:t}){let[s,r]=_(()=>ls(e));return C(()=>{let i=setInterval(()=>r(ls(e)),250);return()=>clearInterval(i)},[e]),n`<button type="button" disabled=${s>0} onClick=${t}>
    ${s>0?`Try again in ${s} s`:"Try again"}
  </button>`}var ls=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),mt=new U(null);function ft(e){mt.set(e)}function D({url:e,children:t}){return n`<button type="button" class="outbound" dir="auto" onClick=${()=>ft(e)}>${t??e}</button>`}function ps(){let e=v(mt),t=P(null);C(()=>{e&&t.current.showModal()},[e]);let s=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return n`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>mt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&n`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${s}>Open in a new tab</a>`}
      <${De} text=${e??""} label="Copy address" />
      <button type="button" onClick=${s}>Close</button>
    </p>
  </dialog>`}var Fe={curl:{title:"curl",text:kr},mcp:{title:"MCP",text:jr},python:{title:"Python",text:$r},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function ds({operations:e}){let t=v(ie),[s,r]=_(null),[i,o]=_("curl");if(C(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),a=s??t.reduce((d,l)=>c(l)>c(d)?l:d),p=()=>le(a.operation.name,a.args).catch(()=>{});return n`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${a.path}</code>
        <${Cr} exchange=${a} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&n`<label class="field">Request
          <select value=${t.indexOf(a)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>n`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${a.status===304?"304, unchanged":a.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${a.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${a.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${a.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Fe).map(([d,{title:l}])=>n`<button type="button" aria-pressed=${i===d} onClick=${()=>o(d)}>${l}</button>`)}
          <span class="spread"></span>
          <button type="button" class="again" onClick=${p}>Send again</button>
          <${De} text=${Fe[i].text(a)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Fe[i].title}><code>${Fe[i].text(a)}</code></pre>
      </div>
    </details>
  </section>`}function Cr({exchange:{status:e,milliseconds:t}}){return n`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function hs(){let e=v(Ie),[t,s]=_(Date.now());if(C(()=>{let a=setInterval(()=>s(Date.now()),1e3);return()=>clearInterval(a)},[]),!e)return null;let r=e.resetAt<=t,i=r?e.limit:e.remaining,o=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Resets in ${o} s`;return n`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${i} aria-label="Requests left"></meter>
    <span>${i} of ${e.limit} left</span>
  </span>`}function kr({path:e}){return`curl -sS '${ms(e)}' \\
  -H "Authorization: Bearer $${$.variable}"`}function jr({operation:e,args:t}){let s={name:e.name,arguments:Ht(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:s},null,2);return`curl -sS '${$.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${$.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function $r({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${ms(e)}",
    headers={"Authorization": f"Bearer {os.environ['${$.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var ms=e=>`${$.baseUrl}${e.replaceAll("'","%27")}`;var fs="./icon-KB2SD46C.svg";var gs=["list_assets","read_asset"],Ar=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function ws({values:e}){return n`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${_s} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?n`<${Tr} id=${e[0]} />`:n`<${B}>Select a file or a folder.<//>`}</div>
    </div>
  `}function _s({id:e,isRoot:t,chosen:s}){let{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=ue("list_assets",{folderId:e},Ar),p=r.flatMap(d=>d.data);return n`
    ${i&&n`<${R} error=${i} retry=${a} />`}
    ${!o&&!i&&!p.length&&n`<p class="quiet">Empty.</p>`}
    <ul>${p.map(d=>n`<${Pr} key=${d.id} asset=${d} chosen=${s} />`)}</ul>
    ${o&&n`<${S} />`}
    ${c&&!o&&n`<button type="button" class="more" onClick=${a}>Load more</button>`}
    ${t&&r[0]&&n`<${N} meta=${r[0].meta} />`}
  `}function Pr({asset:e,chosen:t}){let[s,r]=_(!1),i=n`<a href=${y("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?n`<li class="file">${i} <span class="quiet">${be(e.bytes)}</span>${e.public&&n` <span class="chip">public</span>`}</li>`:n`<li class="folder">
    <button type="button" class="twist" aria-expanded=${s} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!s)}></button>
    ${i}
    ${s&&n`<${_s} id=${e.id} chosen=${t} />`}
  </li>`}function Tr({id:e}){let{body:t,error:s,retry:r}=I("read_asset",{id:e});if(s)return n`<${R} error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:i}=t,o=(c,a)=>n`<div><dt>${c}</dt><dd dir="auto">${a}</dd></div>`;return n`<section class="card" aria-label="Selected">
    <p class="eyebrow">${i.kind}</p>
    <h2 dir="auto">${i.name}</h2>
    <dl class="facts">
      ${i.kind==="file"&&o("Size",`${be(i.bytes)} (${i.bytes} bytes)`)}
      ${i.mime&&o("Type",i.mime)}
      ${o("Visible",i.public?"to everybody":"to the organization")}
      ${i.publicUrl&&o("Address",n`<${D} url=${i.publicUrl} />`)}
      ${i.uploadedBy&&o("From",i.uploadedBy.displayName??i.uploadedBy.id)}
      ${o("Created",ne(i.createdAt))}
      ${o("Changed",ne(i.updatedAt))}
      ${i.parentId&&o("In",n`<a href=${y("explore","assets",[i.parentId])}>its folder</a>`)}
      ${o("Id",n`<code>${i.id}</code>`)}
    </dl>
    <${N} meta=${t.meta} />
  </section>`}var ys=["list_telegram_chats","list_telegram_messages"];function bs({values:e,query:t}){return e[0]?n`<${Mr} key=${`${e[0]} ${t.before??""}`} id=${e[0]} before=${t.before} />`:n`<${Ir} />`}function Ir(){let{query:e}=v(L),t=Number(e.page??1),{body:s,error:r,retry:i}=I("list_telegram_chats",{page:t});return r?n`<${R} isWhole error=${r} retry=${i} />`:s?n`
    <h1>Chats</h1>
    ${!s.data.length&&n`<${B}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${s.data.map(o=>n`<li class="card" key=${o.id}>
        <p class="eyebrow">${o.type}</p>
        <h2 dir="auto"><a href=${y("explore","chats",[o.id])}>${o.title}</a></h2>
        ${o.username&&n`<p class="quiet" dir="ltr">@${o.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${F(o.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${Be(o.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${k} at=${o.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${q(o.linkedAt)}</p>
      </li>`)}
    </ul>
    <${G} pagination=${s.pagination} page=${t} onPage=${o=>T({page:o})} />
    <${N} meta=${s.meta} />
  `:n`<${S} />`}function Mr({id:e,before:t}){let{query:s}=v(L),r=Z(s.q??""),o=I("list_telegram_chats",{}).body?.data.find(u=>u.id===e),{bodies:c,error:a,isLoading:p,hasMore:d,more:l}=ue("list_telegram_messages",{chatId:e,q:r,before:t},({pagination:u},f)=>u.hasMore?{...f,before:u.nextBefore}:null),h=c.flatMap(u=>u.data).reverse(),m=Nr(h.length);return n`
    <p class="crumb"><a href=${y("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${o?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${u=>u.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${s.q??""} dir="auto" onInput=${u=>T({q:u.target.value})} /></label>
      ${t&&n`<a class="button" href=${y("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${a&&n`<${R} error=${a} retry=${l} />`}
    ${c[0]?.pagination.searchLimited&&n`<p class="quiet">Only the newest messages were searched.</p>`}
    <div class="conversation" ref=${m} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${p?n`<${S} />`:d?n`<button type="button" class="more" onClick=${l}>Older messages</button>`:n`<span class="quiet">${h.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${h.map((u,f)=>n`<${Lr} key=${u.id} message=${u} previous=${h[f-1]}
        quoted=${h.find(O=>O.id===u.replyToMessageId)} term=${r} />`)}</ol>
    </div>
    ${c[0]&&n`<${N} meta=${c[0].meta} />`}
  `}function Nr(e){let t=P(null),s=P(0);return it(()=>{let r=t.current;r.scrollTop=r.scrollHeight-r.clientHeight-s.current;let i=()=>{s.current=r.scrollHeight-r.clientHeight-r.scrollTop};return r.addEventListener("scroll",i,{passive:!0}),()=>r.removeEventListener("scroll",i)},[e]),t}function Lr({message:e,previous:t,quoted:s,term:r}){let{sender:i,text:o,detail:c,kind:a,file:p,sentAt:d,editedAt:l,replyToMessageId:h}=e,m=!t||q(t.sentAt)!==q(d),u=m||t.sender.name!==i.name;return n`
    ${m&&n`<li class="day">${q(d)}</li>`}
    <li class="message">
      ${u&&n`<p class="sender" dir="auto">${i.name} ${i.username&&n`<span class="quiet" dir="ltr">@${i.username}</span>`}</p>`}
      <div class="bubble">
        ${h!==null&&n`<p class="quoted" dir="auto">${s?`${s.sender.name}: ${s.text??s.detail??s.kind}`:`in reply to ${h}`}</p>`}
        ${a!=="text"&&n`<p class="attachment" dir="auto"><span class="kind">${a}</span> <${Br} file=${p} term=${r} /></p>`}
        ${c&&n`<p class="quiet" dir="auto"><${z} text=${c} term=${r} /></p>`}
        ${o&&n`<p class="text" dir="auto"><${z} text=${o} term=${r} /></p>`}
        <p class="when"><${k} at=${d}>${pt(d)}<//>${l&&n` <span>edited <${k} at=${l}>${pt(l)}<//></span>`}</p>
      </div>
    </li>`}function Br({file:e,term:t}){if(!e)return null;let{fileName:s,width:r,height:i,duration:o,mimeType:c,fileSize:a,sticker:p}=e,d=[p,r&&i&&`${r} × ${i}`,o!==null&&rs(o),c,a!==null&&be(a)];return n`${s&&n`<${z} text=${s} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function vs({view:e}){let t=$.clients.find(s=>s.name===e)??$.clients[0];return n`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${$.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${$.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${$.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${$.clients.map(({name:s,title:r})=>n`<li><a href=${y("connect",s)} aria-current=${s===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${ze} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var xs=new Map;function Ss(e,t){for(let s of t)xs.set(s,e)}function X(e){let t=Kt(e),s=t&&xs.get(t.operation.name);if(!s)return null;let{limit:r,...i}=Object.fromEntries(t.query);return y("explore",s,t.values,i)}var Es=["list_knowledge","read_knowledge"],zr={"":"Everything",source:"Documents",note:"Notes"},Fr={"":"Public and team",public:"Public",team:"Team"};function Cs({values:e}){return e[0]?n`<${Wr} key=${e[0]} id=${e[0]} />`:n`<${Vr} />`}function Vr(){let{query:e}=v(L),t=Z(e.q??""),s=Number(e.page??1),{kind:r,visibility:i,archived:o}=e,{body:c,error:a,retry:p}=I("list_knowledge",{q:t,kind:r,visibility:i,archived:o,page:s}),d=(l,h)=>n`<select value=${e[l]??""} onChange=${m=>T({[l]:m.target.value,page:""})}>
    ${Object.entries(h).map(([m,u])=>n`<option value=${m}>${u}</option>`)}
  </select>`;return n`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>T({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",zr)}</label>
      <label class="field">For ${d("visibility",Fr)}</label>
      <label class="check"><input type="checkbox" checked=${o==="true"}
        onChange=${l=>T({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${a&&n`<${R} error=${a} retry=${p} />`}
    ${!c&&!a&&n`<${S} />`}
    ${c&&n`
      ${!c.data.length&&n`<${B}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>n`<${Ur} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${G} pagination=${c.pagination} page=${s} onPage=${l=>T({page:l})} />
      <${N} meta=${c.meta} />`}
  `}function Ur({item:e,term:t}){return n`<li>
    <h2 dir="auto"><a href=${y("explore","knowledge",[e.id])}><${z} text=${e.title} term=${t} /></a></h2>
    <p dir="auto"><${z} text=${e.preview} term=${t} /></p>
    <${ks} item=${e} />
  </li>`}function ks({item:e}){let{source:t,sourceLabel:s,sourceHref:r,sourceStatus:i,visibility:o,archived:c,updatedAt:a}=e;return n`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?n`<${qr} href=${r} label=${s} />`:s}</span>
    <${k} at=${a} />
    ${o==="team"&&n`<span class="chip">team</span>`}
    ${c&&n`<span class="chip">archived</span>`}
    ${i!=="current"&&n`<span class="chip">${i}</span>`}
  </p>`}function qr({href:e,label:t}){let s=X(e);return s?n`<a href=${s}>${t}</a>`:n`<${D} url=${e}>${t}<//>`}function Wr({id:e}){let[t,s]=_(!1),{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=ue("read_knowledge",{id:e},m=>{let{nextOffset:u}=m.data.contentRange;return u===null?null:{id:e,offset:u}}),p=Qt(a,c&&!o&&!i),d=r[0]?.data,l=r.at(-1)?.data.contentRange,h=l&&l.offset+l.length;return n`
    <p class="crumb"><a href=${y("explore","knowledge")}>Library</a></p>
    ${d&&n`
      <article class="document" aria-busy=${o}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${ks} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?h:1} aria-label="Loaded part"></meter>
            <span class="quiet">${F(h)} of ${F(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&n`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>s(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>s(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?n`<div class="plain-text" dir="auto">${r.map(m=>m.data.content).join("")}</div>`:n`<${Yr} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${q(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${N} meta=${r[0].meta} />`}
    ${i&&n`<${R} isWhole=${!d} error=${i} retry=${a} />`}
    ${o&&n`<${S} />`}
    <div ref=${p}></div>
  `}function Yr({bodies:e,isWhole:t}){let s=P(null),r=P({count:0,rest:"",env:{}}),i=Xt(()=>import("./markdown-EJRWV7KP.js"));C(()=>{if(!i)return;let{cut:c,rendered:a}=i,p=r.current;p.tail?.forEach(h=>h.remove()),p.tail=null,p.rest+=e.slice(p.count).map(h=>h.data.content).join(""),p.count=e.length;let[d,l]=t?[p.rest,""]:c(p.rest);if(d&&s.current.append(a(d,p.env)),p.rest=l,l){let h=a(l,{...p.env});p.tail=[...h.childNodes],s.current.append(h)}},[i,e.length,t]);let o=c=>{let a=c.target.closest("button.outbound");a&&ft(a.address)};return n`${!i&&n`<${S} />`}<div class="prose" ref=${s} onClick=${o}></div>`}var $s=["list_x_mentions"];function Os(){let{query:e}=v(L),t=Number(e.page??1),{body:s,error:r,retry:i}=I("list_x_mentions",{page:t});return n`
    <h1>Mentions</h1>
    ${r&&n`<${R} error=${r} retry=${i} />`}
    ${!s&&!r&&n`<${S} />`}
    ${s&&n`
      <${N} meta=${s.meta} />
      ${!s.data.length&&n`<${B}>No post is stored.<//>`}
      <ul class="cards posts">${s.data.map(o=>n`<${Hr} key=${o.id} post=${o} />`)}</ul>
      <${G} pagination=${s.pagination} page=${t} onPage=${o=>T({page:o})} />`}
  `}function Hr({post:e}){let{author:t,text:s,createdAt:r,metrics:i,media:o,quoted:c,isReply:a,isRepost:p,url:d}=e,l=Object.values(i).some(Boolean),h=(m,u)=>m==="views"||!l?Be(u):dt(u);return n`<li class="card">
    <p class="byline"><${js} author=${t} /> <${k} at=${r} />
      ${a&&n`<span class="chip">reply</span>`}${p&&n`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${s}</p>
    ${o.length>0&&n`<ul class="plain-list media">${o.map(m=>n`<li><span class="kind">${m.type}</span> <${D} url=${m.url} />
      ${m.previewUrl!==m.url&&n`<${D} url=${m.previewUrl} />`}</li>`)}</ul>`}
    ${c&&n`<blockquote><p class="byline"><${js} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${D} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(i).map(([m,u])=>n`<div><dt>${m}</dt><dd title=${F(u)}>${h(m,u)}</dd></div>`)}</dl>
    <p class="byline"><${D} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function js({author:e}){return n`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var gt=60,Zr=3*31557600,As=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ve=360;function xe(e){let t=Math.log(Math.max(e,gt)/gt)/Math.log(Zr/gt);return Math.round(10+Math.min(1,t)*(Ve-20))}function Ps({sources:e}){return e.length?n`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${Xr} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>n`<${Gr} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:n`<${B}>No source is approved for this key. An owner or admin can approve sources.<//>`}function Gr({source:e}){let{label:t,kind:s,count:r,description:i,href:o,status:c,updatedAt:a,staleAfterSeconds:p}=e,d=X(o);return n`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?n`<a href=${d}><${z} text=${t} /></a>`:t}</span>
      <span class="kind">${s}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${i}</span>
    </th>
    <td><${de} status=${c} /></td>
    <td><${k} at=${a} /><span class="quiet about">${p===void 0?"no freshness target":`stale after ${ss(p)}`}</span></td>
    <td class="line"><${Qr} status=${c} updatedAt=${a} target=${p} /></td>
  </tr>`}function Xr(){return n`<svg viewBox="0 0 ${Ve} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${As.map(([e,t])=>n`<text x=${xe(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function Qr({status:e,updatedAt:t,target:s}){let r=t?xe(ht(t)):null,i=s===void 0?null:xe(s),o=i!==null&&r!==null&&r>i;return n`<svg viewBox="0 0 ${Ve} 28" aria-hidden="true" class="age tone-${e}">
    ${As.map(([c])=>n`<line class="tick" x1=${xe(c)} x2=${xe(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ve-10} y1="14" y2="14" />
    ${i!==null&&n`<rect class="promise" x="10" y="8" width=${i-10} height="12" rx="3" />`}
    ${o&&n`<line class="late" x1=${i} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&n`<${ve} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var Ts=["get_context","list_sources"];function Rs(){let{body:e,error:t,retry:s}=I("get_context",{});if(t)return n`<${R} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{organization:r,grantedScopes:i,sources:o,connections:c}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&n`<code>${r.slug}</code> · `}
        ${r.createdAt&&n`since ${q(r.createdAt)} · `}
        ${o.length} ${o.length===1?"source":"sources"}
      </p>
      ${!r.displayName&&n`<p class="quiet">Its name appears once an owner or admin approves the <code>profile</code> source.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${i.map(a=>n`<li class="chip"><code>${a}</code></li>`)}
      </ul>
    </div>
    <${Ps} sources=${o} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${o.map(({id:a,label:p,href:d})=>n`<div><dt dir="auto">${p}</dt><dd><code>${a}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([a,p])=>n`<div><dt>${a}</dt><dd>${eo(p)}</dd></div>`)}
      </dl>
    </details>
  `}function eo(e){return Object.entries(e).filter(([,s])=>s!==null&&typeof s!="object").map(([s,r])=>`${s} ${r}`).join(", ")}var Is=["list_people","read_person"];function Ms({values:e}){return e[0]?n`<${ro} key=${e[0]} id=${e[0]} />`:n`<${so} />`}function so(){let{query:e}=v(L),t=Z(e.q??""),s=Number(e.page??1),{body:r,error:i,retry:o}=I("list_people",{q:t,page:s}),c=Math.max(1,...(r?.data??[]).map(a=>a.activityCount));return n`
    <h1>People</h1>
    <form class="filters" role="search" onSubmit=${a=>a.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${a=>T({q:a.target.value,page:""})} /></label>
    </form>
    ${i&&n`<${R} error=${i} retry=${o} />`}
    ${!r&&!i&&n`<${S} />`}
    ${r&&n`
      ${r.pagination.searchLimited&&n`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&n`<${B}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(a=>n`<li key=${a.key}>
        <a href=${y("explore","people",[a.key])} dir="auto"><${z} text=${a.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${a.username?n`@<${z} text=${a.username} term=${t} />`:""}</span>
        <span class="kind">${a.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${a.activityCount} aria-label="Activity"></meter> ${F(a.activityCount)}</span>
        <span class="quiet"><${k} at=${a.lastActiveAt} /></span>
      </li>`)}</ul>
      <${G} pagination=${r.pagination} page=${s} onPage=${a=>T({page:a})} />
      <${N} meta=${r.meta} />`}
  `}function ro({id:e}){let{body:t,error:s,retry:r}=I("read_person",{key:e});if(s)return n`<${R} isWhole error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:i}=t;return n`
    <p class="crumb"><a href=${y("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${i.platform}${i.verified&&" · verified"}</p>
      <h1 dir="auto">${i.displayName}</h1>
      <p class="quiet">
        ${i.username&&n`<span dir="ltr">@${i.username}</span> · `}
        ${F(i.activityCount)} in all · since ${q(i.firstActiveAt)} · last <${k} at=${i.lastActiveAt} />
      </p>
      ${i.profileUrl&&n`<p><${D} url=${i.profileUrl} /></p>`}
      <p class="quiet"><code>${i.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${i.sources.map(o=>n`<li key=${o.sourceId}>
      <span dir="auto">${o.label}</span> <span class="quiet">${F(o.activityCount)} · last <${k} at=${o.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${i.recentActivity.map(o=>n`<li key=${o.id}>
      <p class="byline"><span class="kind">${o.kind}</span> <${k} at=${o.at} /></p>
      <p dir="auto"><${oo} one=${o} /></p>
    </li>`)}</ol>
    <${N} meta=${t.meta} />
  `}function oo({one:e}){let t=X(e.href),s=e.preview||`without text (${e.id})`;return t?n`<a href=${t}>${s}</a>`:e.href?n`<${D} url=${e.href}>${s}<//>`:s}var Ns="./swagger-ui-ZNARJ7LG.js";var Ls="./swagger-ui-KBCBW7CB.css";var wt=null;function Ds(){let e=P(null),[t,s]=_(!1);return C(()=>{let r=null;return wt??=co(),wt.then(i=>{e.current&&(r=uo(i,e.current))},()=>{wt=null,s(!0)}),()=>r?.()},[]),n`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    <h2 class="sr">Operations</h2>
    ${t?n`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>`:n`<div class="reference" ref=${e}><${S} /></div>`}
  `}async function co(){let e=t=>new URL(t,import.meta.url).href;return await Promise.all([Bs("link",{rel:"stylesheet",href:e(Ls)}),Bs("script",{src:e(Ns)})]),globalThis.SwaggerUIBundle}function Bs(e,t){return new Promise((s,r)=>{document.head.prepend(Object.assign(document.createElement(e),{...t,onload:s,onerror:r}))})}function lo({React:e}){let t=["errors","operations","Models"];return{components:{Contents:({getComponent:r})=>e.createElement("div",{className:"swagger-ui"},t.map(i=>e.createElement(r(i,!0),{key:i})))}}}function uo(e,t){let s=matchMedia("(prefers-color-scheme: dark)"),r=document.documentElement.classList,i=()=>r.toggle("dark-mode",s.matches);return i(),s.addEventListener("change",i),t.replaceChildren(),e({url:"api/v1/openapi.json",domNode:t,layout:"Contents",plugins:[lo],supportedSubmitMethods:[],docExpansion:"list",defaultModelsExpandDepth:0,deepLinking:!1,syntaxHighlight:{activated:!1}}),()=>{s.removeEventListener("change",i),r.remove("dark-mode")}}var Vs=["search_context"],po=20,zs=50;function Us(){let{query:e}=v(L),[t,s]=_(po),r=Z(e.q??""),i={q:r,source:e.source,after:Fs(e.after),before:Fs(e.before,1),limit:t},{body:o,error:c,isLoading:a,retry:p}=I("search_context",i),d=I("list_sources",{});return n`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>T({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>T({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>n`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>T({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>T({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&n`<${R} error=${c} retry=${p} />`}
    ${!o&&a&&n`<${S} />`}
    ${o&&n`<${ho} body=${o} term=${r} isLoading=${a} onMore=${t<zs&&(()=>s(zs))} />`}
  `}function ho({body:e,term:t,isLoading:s,onMore:r}){let{query:i}=v(L),{items:o,hasMore:c}=e.data,a=we(()=>Map.groupBy(o,h=>h.kind),[o]),p=[...a.keys()].sort(),d=a.has(i.kind)?i.kind:"",l=d?a.get(d):o;return n`
    <div class="chips" role="group" aria-label="Kinds">
      <button type="button" class="chip" aria-pressed=${!d} onClick=${()=>T({kind:""})}>all ${o.length}</button>
      ${p.map(h=>n`<button type="button" class="chip" aria-pressed=${d===h}
          onClick=${()=>T({kind:h})}>${h} ${a.get(h).length}</button>`)}
    </div>
    <p class="sr" role="status">${l.length} results</p>
    ${!l.length&&n`<${B}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${s}>
      ${l.map(h=>n`<${mo} key=${`${h.kind} ${h.id}`} item=${h} term=${t} />`)}
    </ol>
    ${c&&n`<p class="actions">
      ${r?n`<button type="button" onClick=${r}>Show more</button>`:n`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${N} meta=${e.meta} />
  `}function mo({item:e,term:t}){let s=X(e.href),r=n`<${z} text=${e.title} term=${t} />`;return n`<li>
    <h2 dir="auto">${s?n`<a href=${s}>${r}</a>`:e.href?n`<${D} url=${e.href}>${r}<//>`:r}</h2>
    <p dir="auto"><${z} text=${e.preview} term=${t} /></p>
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&n`<${k} at=${e.updatedAt} />`}</p>
  </li>`}function Fs(e,t=0){if(!e)return;let s=new Date(`${e}T00:00`);return s.setDate(s.getDate()+t),Number.isNaN(s.getTime())?void 0:s.toISOString()}var go=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],wo=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function qs(){let e=v(K);return n`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?n`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${y("explore")}>Explore</a></p>`:n`<${Le} onDone=${()=>location.assign(y("explore"))} />`}
    </section>
    <${_o} />
    <ul class="promises">${go.map(([t,s])=>n`<li><h2>${t}</h2><p>${s}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization. The operator issues it on their behalf. It is shown
          once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${ze} text=${wo} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${y("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${y("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${y("reference")}>Read the reference</a> <span class="quiet">${$.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function _o(){let[e,t]=_(null),s=()=>fetch("readyz",{cache:"no-store"}).then(i=>i.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return n`<p class="actions"><button type="button" onClick=${s}>Is the service ready?</button></p>`;let r=e.status==="ready";return n`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${ve} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([i,o])=>n`<span class="quiet">${i} ${o}</span>`)}
  </p>`}var Ws=["get_token"];function Ys(){let{body:e,error:t,retry:s}=I("get_token",{});if(t)return n`<${R} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{connected:r,token:i,index:o,holders:c,latestFees:a,latestTradeAt:p,sources:d}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${i?`${i.name} (${i.symbol})`:"No token is stored"}</h1>
      <${N} meta=${e.meta} />
    </div>
    ${!r&&n`<${B}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&n`<div><dt>holders</dt><dd>${F(c.count)}</dd></div>`}
      ${a&&n`<div><dt>price, USD</dt><dd>${F(a.priceUsd)}</dd></div>`}
      ${p&&n`<div><dt>last trade</dt><dd><${k} at=${p} /></dd></div>`}
      ${o&&n`<div><dt>index</dt><dd><${de} status=${o.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,h])=>n`<tr>
        <th scope="row">${l}</th><td><${de} status=${h.status} /></td><td><${k} at=${h.updatedAt} /></td><td dir="auto">${h.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Ue} title="Token" members=${i} />
      <${Ue} title="Index" members=${o} />
      <${Ue} title="Holders" members=${c} />
      <${Ue} title="Latest fees" members=${a} />
    </div>
  `}function Ue({title:e,members:t}){return t?n`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([s,r])=>n`<div><dt>${s}</dt><dd dir="auto"><${yo} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function yo({value:e}){return e===null?n`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?n`<${k} at=${e}>${ne(e)}<//>`:/^https?:/.test(e)?n`<${D} url=${e} />`:n`<code>${/^\d+$/.test(e)?os(e):e}</code>`}var vo=new URL(fs,import.meta.url).href,Js={start:"Start",connect:"Connect",explore:"Explore",reference:"Reference"},qe={overview:{title:"Overview",view:Rs,operations:Ts},search:{title:"Search",view:Us,operations:Vs},knowledge:{title:"Library",view:Cs,operations:Es},assets:{title:"Files",view:ws,operations:gs},chats:{title:"Chats",view:bs,operations:ys},people:{title:"People",view:Ms,operations:Is},mentions:{title:"Mentions",view:Os,operations:$s},token:{title:"Token",view:Ys,operations:Ws}};for(let[e,{operations:t}]of Object.entries(qe))Ss(e,t);function xo(){let e=v(L),t=v(K),s=`${e.area}/${e.view}/${e.values.join("/")}`,r=P(null),i=P(!0);return C(()=>{document.title=`${qe[e.view]?.title??Js[e.area]??"Page not found"} · orgctx`,i.current||r.current.focus({preventScroll:!0}),i.current||scrollTo(0,0),i.current=!1},[s,t]),n`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${vo} alt="" width="26" height="26" />orgctx</a>
      <nav aria-label="Page"><ul>
        ${Object.entries(Js).map(([c,a])=>n`<li><a href=${y(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${a}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&n`<${hs} /><button type="button" onClick=${ye}>Forget key</button>`}</div>
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${_t} key=${s}><${So} here=${e} isConnected=${t} /><//>
    </main>
    <${ps} />
  `}function So({here:e,isConnected:t}){return e.area==="start"?n`<${qs} />`:e.area==="connect"?n`<${vs} view=${e.view} />`:e.area==="reference"?n`<${Ds} />`:e.area==="explore"?t?n`<${Eo} here=${e} />`:n`<section class="card entrance"><h1>Explore</h1>
      <p>Paste a key to see what it can read.</p><${Le} /></section>`:n`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Eo({here:e}){let t=e.view||"overview",{view:s,operations:r=[]}=qe[t]??{},i=v(ce)>0;return es(t),n`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu"><${Co} name=${t} /></ul></nav>
    <div class="view" aria-busy=${i}>
      ${s?n`<${s} values=${e.values} query=${e.query} />`:n`<h1>View not found</h1>`}
      <${ds} operations=${r} />
    </div>
  </div>`}function Co({name:e}){let t=v(Me),s=r=>!t||Re(r).scopes.some(i=>t.includes(i));return Object.entries(qe).filter(([,{operations:r}])=>r.some(s)).map(([r,{title:i}])=>n`<li><a href=${y("explore",r)} aria-current=${r===e?"page":void 0}>${i}</a></li>`)}var _t=class extends re{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:s}){return s?n`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(s.message)}</code></p></div>`:t}};et(n`<${xo} />`,document.getElementById("app"));
